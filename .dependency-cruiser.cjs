/** Imports go one way only: each layer lists the layers it may import. */
const layers = {
  common: [],
  internal: ['common'],
  operations: ['common', 'internal'],
  query: ['common', 'internal', 'operations'],
  palette: ['common', 'internal', 'operations', 'query'],
  dispatch: ['common', 'internal', 'operations', 'query', 'palette'],
  telemetry: ['common'],
  egress: ['common', 'internal', 'telemetry'],
  'egress-guard': ['common'],
  conversations: ['common'],
  approvals: ['common', 'internal', 'telemetry', 'operations', 'palette', 'dispatch', 'conversations'],
  agent: [
    'common',
    'internal',
    'telemetry',
    'operations',
    'palette',
    'dispatch',
    'egress',
    'conversations',
    'approvals',
  ],
  mcp: ['common', 'internal', 'telemetry', 'operations', 'query', 'palette', 'dispatch', 'conversations', 'approvals'],
  testing: ['common', 'operations', 'palette', 'dispatch', 'egress', 'conversations', 'approvals', 'agent'],
  stores: ['common', 'internal', 'operations', 'query', 'conversations', 'approvals'],
};

const layerRules = Object.entries(layers).map(([layer, allowed]) => ({
  name: `layer-${layer}`,
  severity: 'error',
  comment: `lib/${layer} may import ${allowed.length ? allowed.join(', ') : 'no other layer'}`,
  from: { path: `^lib/${layer}/` },
  to: { path: '^lib/', pathNot: `^lib/(${[layer, ...allowed].join('|')})/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nest-internals',
      severity: 'error',
      comment: 'Only lib/internal/nest.ts may reach into Nest.',
      from: { path: '^lib/', pathNot: '^lib/internal/nest(\\.spec)?\\.ts$' },
      to: { path: 'node_modules/@nestjs/[^/]+/(?!index\\.(js|d\\.ts)$).+', pathNot: '/index\\.(js|d\\.ts)$' },
    },
    {
      name: 'no-dev-dependency-in-lib',
      severity: 'error',
      from: { path: '^lib/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm-peer', 'npm'] },
    },
    {
      name: 'lib-imports-lib',
      severity: 'error',
      from: { path: '^lib/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(test|sample|bench)/' },
    },
    {
      name: 'cli-is-outermost',
      severity: 'error',
      comment: 'lib/cli may import every layer, and none may import it.',
      from: { path: '^lib/', pathNot: '^lib/cli/' },
      to: { path: '^lib/cli/' },
    },
    {
      name: 'stores-by-subpath-only',
      severity: 'error',
      comment:
        'A store needs a peer that not every application has: only its own subpath may load it, and the command for it.',
      from: { path: '^lib/', pathNot: '^lib/(stores/|cli/commands/migrate)' },
      to: { path: '^lib/stores/' },
    },
    {
      name: 'subpaths-are-outermost',
      severity: 'error',
      comment: 'What only some applications load is reached by its own subpath, never from the main entry.',
      from: { path: '^lib/', pathNot: '^lib/(mcp|testing|egress-guard)/' },
      to: { path: '^lib/(mcp|testing|egress-guard)/', pathNot: '^lib/egress-guard/shared/' },
    },
    ...layerRules,
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
