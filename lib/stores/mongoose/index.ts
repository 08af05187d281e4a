export {
  MongooseQueryExecutor,
  type MongooseCall,
  type MongooseFilter,
  type MongooseQueryExecutorOptions,
} from './mongoose-query-executor.js';
export type { MongooseModel } from './mongoose-model.js';
