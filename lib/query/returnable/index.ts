export { rememberReturnable } from './remembered-returnable.js';
export { QueryResultError, ReturnableInterceptor } from './returnable.interceptor.js';
