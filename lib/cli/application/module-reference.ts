import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Which export of which file is the application's root module. */
export interface ModuleReference {
  /** Absolute. */
  readonly file: string;
  /** Undefined where the file is left to say. */
  readonly exportName: string | undefined;
}

/** Reads `path` or `path#ExportName`; a `#` of the path itself does no harm where the file exists. */
export function moduleReference(text: string, cwd: string): ModuleReference {
  const mark = text.lastIndexOf('#');
  const whole = resolve(cwd, text);
  if (mark === -1 || existsSync(whole)) return { file: whole, exportName: undefined };
  return { file: resolve(cwd, text.slice(0, mark)), exportName: text.slice(mark + 1) };
}
