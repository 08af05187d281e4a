/** Runs tasks side by side, at most `concurrency` at once; outcomes are in the order of the tasks, and none is lost. */
export async function runSideBySide<T>(
  tasks: readonly (() => Promise<T>)[],
  concurrency: number,
): Promise<PromiseSettledResult<T>[]> {
  const outcomes = new Array<PromiseSettledResult<T>>(tasks.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < tasks.length; index = next++) {
      const [outcome] = await Promise.allSettled([tasks[index]?.() as Promise<T>]);
      outcomes[index] = outcome;
    }
  };
  await Promise.all(Array.from({ length: Math.min(Math.max(1, concurrency), tasks.length) }, work));
  return outcomes;
}
