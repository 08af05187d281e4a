import { defineAgent, withoutTools, type Agent, type Model, type Palette } from 'nestjs-palette';

/** Who talks to customers: one who finds out what it is about, and two who know their own part only. */
export function agentsOf(model: Model, palettes: { readonly orders: Palette; readonly billing: Palette }): Agent[] {
  const triage = defineAgent({
    name: 'triage',
    model,
    system: 'Find out what the customer wants, and transfer to whoever can help. Answer nothing else.',
    handoffs: ['orders', 'billing'],
  });
  const orders = defineAgent({
    name: 'orders',
    model,
    description: 'For where orders are.',
    system: 'Answer questions about orders from what the tools say. Transfer what is about money.',
    palette: palettes.orders,
    // Whoever looks after invoices is shown what was said, and none of the orders that were looked up.
    handoffs: [{ to: 'billing', filter: withoutTools }],
  });
  const billing = defineAgent({
    name: 'billing',
    model,
    description: 'For invoices and payments.',
    system: 'Answer questions about invoices from what the tools say. Transfer what is about parcels.',
    palette: palettes.billing,
    handoffs: ['orders'],
  });
  return [triage, orders, billing];
}
