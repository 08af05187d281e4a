/** The error that an action ends in; a failure where it ends in none. */
export async function catchError(action: () => unknown): Promise<Error> {
  try {
    await action();
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected an error, and there was none');
}
