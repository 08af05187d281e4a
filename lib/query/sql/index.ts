export { aggregateSql, type AggregateSql } from './aggregate-sql.js';
export { decodeValue } from './decode-value.js';
export { filterSql, type SqlContext } from './filter-sql.js';
export { countSql, listSql } from './list-sql.js';
export { limitSql, orderSql } from './order-sql.js';
export { outputSql } from './output-sql.js';
export { sqlCapabilities } from './sql-capabilities.js';
export { quoteIdentifier, storagesOf, type ColumnStorage, type SqlColumn, type SqlDialect } from './sql-column.js';
export { joinSql, rawSql, sql, toStatement, type SqlStatement, type SqlText, type SqlValue } from './sql-text.js';
