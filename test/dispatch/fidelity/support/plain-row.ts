import { content } from './fidelity-table.js';

/** A GET without arguments: the row of `json/empty-list` calls `json__emptyList`. */
export const plainRow = (tool: string, view: unknown, status = 200) => ({
  what: `${tool} as it is`,
  tool: tool.replace('/', '__').replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase()),
  http: `GET /${tool}`,
  status,
  view: content(view),
});
