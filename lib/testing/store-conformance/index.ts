export type { ConformanceCase, CreateStore, StoreUnderTest } from './conformance-case.js';
export { storeConformance } from './store-conformance.js';
