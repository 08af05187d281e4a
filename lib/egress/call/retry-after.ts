/** How long an upstream asks to be left alone, in milliseconds: `retry-after-ms`, else `retry-after`. @see RFC 9110, 10.2.3 */
export function retryAfterMs(headers: Headers): number | undefined {
  const ms = positive(headers.get('retry-after-ms'));
  if (ms !== undefined) return ms;
  const value = headers.get('retry-after');
  const seconds = positive(value);
  if (seconds !== undefined) return Math.ceil(seconds * 1_000);
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function positive(value: string | null): number | undefined {
  return value !== null && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : undefined;
}
