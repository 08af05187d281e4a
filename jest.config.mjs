import { availableParallelism } from 'node:os';

const swc = {
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
};

export default {
  testEnvironment: 'node',
  testMatch: [
    '<rootDir>/lib/**/*.spec.ts',
    '<rootDir>/test/**/*.spec.ts',
    '<rootDir>/sample/**/*.spec.ts',
    '<rootDir>/bench/**/*.spec.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/package/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.build/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  moduleNameMapper: {
    '^nestjs-palette$': '<rootDir>/lib/index.ts',
    '^nestjs-palette/prisma$': '<rootDir>/lib/stores/prisma/index.ts',
    '^nestjs-palette/drizzle$': '<rootDir>/lib/stores/drizzle/index.ts',
    '^nestjs-palette/typeorm$': '<rootDir>/lib/stores/typeorm/index.ts',
    '^nestjs-palette/mongoose$': '<rootDir>/lib/stores/mongoose/index.ts',
    '^nestjs-palette/postgres$': '<rootDir>/lib/stores/postgres/index.ts',
    '^nestjs-palette/redis$': '<rootDir>/lib/stores/redis/index.ts',
    '^nestjs-palette/mcp$': '<rootDir>/lib/mcp/index.ts',
    '^nestjs-palette/testing$': '<rootDir>/lib/testing/index.ts',
    '^nestjs-palette/egress-guard$': '<rootDir>/lib/egress-guard/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  setupFilesAfterEnv: ['<rootDir>/test/setup.ts'],
  coverageProvider: 'babel',
  // Jest leaves one core to itself; of two that is half of all.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  workerIdleMemoryLimit: '400MB',
  testTimeout: 20_000,
};
