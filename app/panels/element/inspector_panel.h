// The inspector, everything about the selected element: its fields, parameters, payload, the states
// around it and the links that leave and reach it. Click another element to go there. (B-09)
#pragma once

#include <memory>
#include <set>

#include "app/panels/element/element_facts.h"
#include "app/panels/element/payload_fields.h"
#include "app/panels/panels.h"
#include "core/base/latest.h"

namespace weft::app {

class InspectorPanel final : public Panel {
 public:
  explicit InspectorPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  void draw_steps(const PanelInput& input, PanelOutput& output) const;
  void draw_params(const PanelInput& input, const ElementFacts& facts);
  void draw_param(const PanelInput& input, const ElementFacts& facts, size_t index);
  void draw_payload(const PanelInput& input, const ElementFacts& facts);

  Latest<ElementFactsKey, ElementFacts> facts_;
  std::shared_ptr<const ElementFacts> shown_;
  PayloadFields fields_;
  std::set<size_t> folded_;  // indices of folded lines of the parameters
};

}  // namespace weft::app
