/** Text that somebody else wrote, made fit to stand in an error: one line of visible characters, `maxLength` at most. */
export function foreignText(text: string, maxLength: number): string {
  return text
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
    .slice(0, maxLength);
}
