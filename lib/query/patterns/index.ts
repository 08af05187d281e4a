export { compileLike, isLikePattern, type TextTest } from './like-pattern.js';
export { compileRegex } from './regex-pattern.js';
