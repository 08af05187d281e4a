/** The tool by which a model hands a conversation over to an agent. */
export function transferName(agent: string): string {
  return `transfer_to_${agent}`;
}
