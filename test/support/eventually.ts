const PATIENCE_MS = 5_000;
const PAUSE_MS = 5;

/** Repeats a check until it holds: for what follows soon, at a time that the machine decides. */
export async function eventually(check: () => void | Promise<void>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
