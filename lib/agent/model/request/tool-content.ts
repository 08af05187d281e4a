/** What a tool answered, as text: text as it is, everything else as JSON. */
export function toolContent(content: unknown): string {
  return typeof content === 'string' ? content : (JSON.stringify(content) ?? 'null');
}
