export { checkCursorPaging } from './check-cursor-paging.js';
export { CURSOR_PATTERN, MAX_CURSOR_LENGTH } from './cursor-codec.js';
export { QueryCursorError, cursorPaging, type CursorList, type RequestedPage } from './cursor-paging.js';
export { isInjected, secretFault, secretText, type CursorSecret } from './cursor-secret.js';
