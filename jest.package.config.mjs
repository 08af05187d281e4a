import config from './jest.config.mjs';

export default {
  ...config,
  testMatch: ['<rootDir>/test/package/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
