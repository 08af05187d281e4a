/**
 * Lets so many go at a time, and the others in their order as these end.
 * @returns what waits for a turn, and gives what ends it
 */
export function takingTurns(limit: number): () => Promise<() => void> {
  let free = Math.max(1, limit);
  const waiting: (() => void)[] = [];
  const end = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return end;
  };
}
