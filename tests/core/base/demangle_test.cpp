#include "core/base/demangle.h"

#include <gtest/gtest.h>

#include <string>

namespace weft {
namespace {

std::string plain(std::string_view name) { return demangled(name).value_or("none"); }

// Ends with a name of at most the greatest length; sanitizers check that nothing beyond the input
// is read.
void expect_an_end(std::string_view name) {
  EXPECT_LE(demangled(name).value_or("").size(), 4096u) << name;
}

TEST(Demangle, FunctionsHaveTheirParameters) {
  EXPECT_EQ(plain("_Z3foov"), "foo()");
  EXPECT_EQ(plain("_ZN3foo3barEiPKc"), "foo::bar(int, char const*)");
  EXPECT_EQ(plain("_ZNK3foo3barERS_"), "foo::bar(foo&) const");
  EXPECT_EQ(plain("_ZN3fooC1Ev"), "foo::foo()");
  EXPECT_EQ(plain("_ZN3fooD0Ev"), "foo::~foo()");
  EXPECT_EQ(plain("_ZN12_GLOBAL__N_13runEv"), "(anonymous namespace)::run()");
  EXPECT_EQ(plain("_ZplRK1aS1_"), "operator+(a const&, a const&)");
  EXPECT_EQ(plain("_Znwm"), "operator new(unsigned long)");
  EXPECT_EQ(plain("_ZN3foo3runEPFviE"), "foo::run(void (*)(int))");
  EXPECT_EQ(plain("_Z1fRA3_i"), "f(int (&) [3])");
  EXPECT_EQ(plain("_ZZ4mainENKUliE_clEi"), "main::{lambda(int)#1}::operator()(int) const");
}

TEST(Demangle, TemplatesHaveTheirArguments) {
  EXPECT_EQ(plain("_ZNSt6vectorIiSaIiEE9push_backERKi"),
            "std::vector<int, std::allocator<int> >::push_back(int const&)");
  EXPECT_EQ(plain("_ZNSt3__16threadD1Ev"), "std::__1::thread::~thread()");
  EXPECT_EQ(plain("_Z3maxIiET_S0_S0_"), "int max<int>(int, int)");
  EXPECT_EQ(plain("_Z3putIJidEEvDpT_"), "void put<int, double>(int, double)");
  EXPECT_EQ(plain("_Z3putIJEEvDpT_"), "void put<>()");
  EXPECT_EQ(plain("_Z1gIZ1fIJiEEvDpRT_EUlvE_EvS4_"),
            "void g<f<int>(int&)::{lambda()#1}>(f<int>(int&)::{lambda()#1})");
  EXPECT_EQ(plain("_Z1gIiEvM1aKFviES2_"),
            "void g<int>(void (a::*)(int) const, void (a::*)(int) const)");
  EXPECT_EQ(plain("_ZN1aILb1ELj7EE3runEv"), "a<true, 7u>::run()");
  EXPECT_EQ(plain("_ZltI1aEbT_S1_"), "bool operator< <a>(a, a)");
}

// The parameter of one template is not that of another, though it is written as if it were.
TEST(Demangle, ParametersOfOtherFunctionsAreNotGuessed) {
  EXPECT_EQ(plain("_Z1gIZ1fIiEvT_EUlvE_EvS2_"),
            "void g<f<int>(int)::{lambda()#1}>(f<int>(int)::{lambda()#1})");
  EXPECT_EQ(plain("_Z1gIZ1fIiEvT_EUlvE_EvS1_"), "none");
}

TEST(Demangle, WhatIsNoFunctionSaysSo) {
  EXPECT_EQ(plain("_ZTV3foo"), "vtable for foo");
  EXPECT_EQ(plain("_ZGVZ3foovE1x"), "guard variable for foo()::x");
  EXPECT_EQ(plain("_ZN3foo5valueE"), "foo::value");
  EXPECT_EQ(plain("_Z3fooi.part.0"), "foo(int) [clone .part.0]");
  EXPECT_EQ(plain("_Z3fooi@@LIB_1.0"), "foo(int)@@LIB_1.0");
  EXPECT_EQ(plain("__Z3fooi"), "foo(int)") << "as macOS has it";
}

TEST(Demangle, RustNamesLoseTheirHash) {
  EXPECT_EQ(plain("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE"),
            "core::fmt::Write::write_fmt");
  EXPECT_EQ(
      plain("_ZN52_$LT$alloc..vec..Vec$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE"),
      "<alloc::vec::Vec as core::fmt::Debug>::fmt");
  EXPECT_EQ(plain("_ZN3foo17h0123456789abcdegEv"), "foo::h0123456789abcdeg()") << "no hash";
}

// Names as the compiler has made them since; written by hand after RFC 2603, and checked with
// c++filt.
TEST(Demangle, NamesOfRustsOwnScheme) {
  EXPECT_EQ(plain("_RNvC3foo3bar"), "foo::bar");
  EXPECT_EQ(plain("_RNvNtCs1aB_3foo3bar6invokeC6client"), "foo::bar::invoke");
  EXPECT_EQ(plain("_RNCNvC3foo3run0"), "foo::run::{closure#0}");
  EXPECT_EQ(plain("_RNCNCNvC3foo3run00B2_"), "foo::run::{closure#0}::{closure#0}");
  EXPECT_EQ(plain("_RNSC3foos_6vtable"), "foo::{shim:vtable#1}");
  EXPECT_EQ(plain("_RNvMC3fooNtB2_4Pool3get"), "<foo::Pool>::get");
  EXPECT_EQ(plain("_RNvMs0_C3fooINtB5_4PoolhE3get"), "<foo::Pool<u8>>::get");
  EXPECT_EQ(plain("_RNvXC3fooNtB2_4PoolNtC3bar4Send4send"), "<foo::Pool as bar::Send>::send");
  EXPECT_EQ(plain("_RINvYSjNtC3foo4Sort4sortReE"), "<[usize] as foo::Sort>::sort::<&str>");
  EXPECT_EQ(plain("_RIC3fooTTuEhEQSmPlAaj10_E"),
            "foo::<(((),), u8), &mut [u32], *const i32, [i8; 16]>");
  EXPECT_EQ(plain("_RIC3fooFG0_RL1_hRL0_tEuE"), "foo::<for<'a, 'b> fn(&'a u8, &'b u16)>");
  EXPECT_EQ(plain("_RIC3fooFUKCuEzE"), "foo::<unsafe extern \"C\" fn(()) -> !>");
  EXPECT_EQ(plain("_RIC3fooDINtC3bar2FnTuEEp6OutputyNtB9_4SendEL_E"),
            "foo::<dyn bar::Fn<((),), Output = u64> + bar::Send>");
  EXPECT_EQ(plain("_RIC3fooKb1_Kanb_Kc76_KpKo10000000000000000_E"),
            "foo::<true, -11, 'v', _, 0x10000000000000000>");
  EXPECT_EQ(plain("__RNvC3foo3bar.llvm.1234"), "foo::bar");
  EXPECT_EQ(plain("_RNvC6_123foo3bar"), "123foo::bar");
  EXPECT_EQ(plain("_RNvC3foou8gdel_5qa"), "foo::punycode{gdel_5qa}");
}

TEST(Demangle, WhatIsNoNameIsNone) {
  for (const char* name : {"", "_", "_Z", "main", "_Zzz", "_Z3fo", "_ZN3fooE3", "_Z1fS_", "_Z1fT_",
                           "_Z9999999999999999999999f", "_R", "_Read", "_RC", "_RNvC3foo",
                           "_RNvC3foo9bar", "_RNvC3foo3barX", "_RB_", "_RIC3fooKc110000_E"})
    EXPECT_EQ(demangled(name), std::nullopt) << name;
}

// Each of these stands for a text of gigabytes, or for none.
TEST(Demangle, HostileNamesEnd) {
  const auto reference = [](size_t i) {
    constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string text = "_";
    for (size_t rest = i; rest > 0; rest = (rest - 1) / 36)
      text.insert(0, 1, kDigits[(rest - 1) % 36]);
    return "S" + text;
  };
  std::string doubled = "_Z1f1AI1aE";
  for (size_t i = 0; i < 60; ++i) doubled += "S_I" + reference(i + 2) + reference(i + 2) + "E";
  EXPECT_EQ(demangled(doubled), std::nullopt);
  for (const char* part : {"P", "N", "1aI", "F", "Z", "M", "DpT_", "L_Z", "J", "A_", "K"}) {
    std::string deep = "_Z1fIJiEEv";
    while (deep.size() < 4000) deep += part;
    EXPECT_EQ(demangled(deep), std::nullopt) << part;
    EXPECT_EQ(demangled("_Z1f" + deep.substr(10)), std::nullopt) << part;
  }
  EXPECT_EQ(demangled("_Z1fIT_T_EvT_T_"), std::nullopt) << "arguments that are made of themselves";
  const std::string good = "_ZNSt6vectorIiSaIiEE9push_backIJRKiEEEvDpOT_";
  for (size_t i = 0; i < good.size(); ++i) {
    for (const char c : {'\0', 'E', 'S', 'I', 'T', '_', '9', '\xff'}) {
      std::string changed = good;
      changed[i] = c;
      expect_an_end(changed);
      expect_an_end(good.substr(0, i));
    }
  }
}

TEST(Demangle, HostileNamesOfRustEnd) {
  const auto reference = [](size_t at) {
    constexpr std::string_view kDigits =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string text = "_";
    for (size_t rest = at; rest > 0; rest = (rest - 1) / kDigits.size())
      text.insert(0, 1, kDigits[(rest - 1) % kDigits.size()]);
    return "B" + text;
  };
  std::string doubled = "IC1f";
  size_t last = doubled.size();
  doubled += "TuuE";
  for (int i = 0; i < 60; ++i) {
    const size_t at = doubled.size();
    doubled += "T" + reference(last) + reference(last) + "E";
    last = at;
  }
  EXPECT_EQ(demangled("_R" + doubled + "E"), std::nullopt);
  EXPECT_EQ(demangled("_RIC1fB3_E"), std::nullopt) << "a type that is made of itself";
  EXPECT_EQ(demangled("_RIC1fFGZZZZZZZ_uEuE"), std::nullopt) << "3 billion lifetimes";
  for (const char* part : {"N", "I", "T", "R", "MC1a", "Y", "FG_", "D", "A", "KB_", "IC1f"}) {
    std::string deep = "_RIC1f";
    while (deep.size() < 4000) deep += part;
    EXPECT_EQ(demangled(deep), std::nullopt) << part;
  }
  const std::string good = "_RINvMs0_C3fooINtB5_4PoolhE3getDG_NtB5_1tp1aRL0_KpEL_ECs1_3bar";
  for (size_t i = 0; i < good.size(); ++i) {
    for (const char c : {'\0', 'E', 'B', 'I', 'T', '_', '9', 's', '\xff'}) {
      std::string changed = good;
      changed[i] = c;
      expect_an_end(changed);
      expect_an_end(good.substr(0, i));
    }
  }
}

TEST(Demangle, NamesThatAreAskedForAgainAreKept) {
  PlainNames names;
  EXPECT_EQ(names.of("_Z3foov"), "foo()");
  EXPECT_EQ(names.of("_Z3foov"), "foo()");
  EXPECT_EQ(names.of("_Zzz"), "_Zzz");
  EXPECT_EQ(names.of("main"), "main");
}

}  // namespace
}  // namespace weft
