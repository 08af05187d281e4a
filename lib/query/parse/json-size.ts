/** Whether a JSON value is longer than `maxBytes` as compact text. Stops as soon as it knows; nesting costs no stack. */
export function exceedsJsonSize(value: unknown, maxBytes: number): boolean {
  const pending: unknown[] = [value];
  let bytes = 0;
  while (pending.length > 0) {
    const current = pending.pop();
    bytes += sizeOf(current, pending);
    if (bytes > maxBytes) return true;
  }
  return false;
}

function sizeOf(value: unknown, pending: unknown[]): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  if (Array.isArray(value)) {
    for (const element of value) pending.push(element);
    return 2 + Math.max(0, value.length - 1);
  }
  const keys = Object.keys(value);
  let bytes = 2 + Math.max(0, keys.length - 1);
  for (const key of keys) {
    bytes += Buffer.byteLength(key) + 3;
    pending.push((value as Record<string, unknown>)[key]);
  }
  return bytes;
}
