export { PrismaQueryExecutor } from './prisma-query-executor.js';
export type { PrismaQueryExecutorOptions } from './prisma-query-executor.options.js';
export type { PrismaClientLike } from './prisma-client.js';
export type { PrismaCall, PrismaScope, PrismaSql } from './prisma-scope.js';
export type { PrismaWhere } from './prisma-where.js';
