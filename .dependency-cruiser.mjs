/** What may import what. ARCHITECTURE.md says why. */

/**
 * The modules of the server, layer by layer from the ground up. A module imports only from those before it, tables
 * included; what goes the other way travels as a job or an event.
 */
const LAYERS = {
  platform: ['settings', 'text', 'sensitive-words', 'search', 'mail-sms', 'uploads', 'dicts', 'ledger'],
  accounts: ['access', 'activity', 'users', 'webhooks'],
  content: [
    'categories',
    'covers',
    'essays',
    'comments',
    'shares',
    'downloads',
    'feeds',
    'trends',
    'directory',
    'site',
  ],
  messaging: ['chats', 'inbox'],
  payments: ['members', 'orders', 'wallet'],
  admin: ['reports', 'stats', 'transfer', 'account-closing', 'backups', 'system', 'demo'],
};
const MODULES = Object.entries(LAYERS).flatMap(([layer, names]) => names.map((name) => `${layer}/${name}`));

/** What the browser may run of the contract; the rest needs zod, of which it only takes types. */
const BROWSER_CONTRACT = '^contract/src/((client|colour|enums|errors|live|scan)[.]ts$|(browser|enums)/)';

/** The editor's text itself, without what stands around it. */
const EDITOR_SOURCE = '^web/src/features/editor/source/';

/** Draws the diagrams of a text. */
const DIAGRAMS = '^web/src/ui/diagrams[.]';

/** Links and navigation, which know no page. */
const ROUTER = '^web/src/router[.]tsx$';

/** The one list of them. */
const ALL_MODULES = '^server/src/modules/all[.]ts$';

const TEST = '[.](test|spec)[.]tsx?$|^server/src/testing/';
const ENTRIES =
  '^(scripts|bench)/|^e2e/global-setup[.]ts$|^(web|admin)/(vite[.]config|src/(entry-|main|boot|diagram))|[.-]worker[.]ts$';

const not = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const code = (path, pathNot = []) => ({ path, pathNot: [TEST, pathNot].flat() });

/** In every module: `from` and what it must not import of its own module. */
const layer = (from, forbidden, { typesToo = true } = {}) =>
  not(
    `module-layer-${from}`,
    'routes → actions → rules, queries → tables; routes → views',
    code(`^server/src/modules/([^/]+/[^/]+)/(${from})([.]ts$|/)`),
    {
      path: `^server/src/modules/$1/(${forbidden})([.]ts$|/)`,
      ...(typesToo ? {} : { dependencyTypesNot: ['type-only'] }),
    },
  );

const layers = [
  layer('tables', 'index|module|routes|actions|rules|queries|views|jobs'),
  layer('rules', 'index|module|routes|actions|queries|views|jobs', { typesToo: false }),
  layer('queries', 'index|module|routes|actions|views|jobs'),
  layer('views', 'index|module|routes|actions|queries|jobs', { typesToo: false }),
  layer('actions', 'index|module|routes|jobs'),
  // A plain read may go straight to its query.
  layer('routes', 'index|rules|tables', { typesToo: false }),
  layer('serve', 'index|routes|rules|tables', { typesToo: false }),
];

const listed = not(
  'module-listed',
  'Give a new module its place in LAYERS',
  { path: '^server/src/modules/', pathNot: [`^server/src/modules/(${MODULES.join('|')})/`, ALL_MODULES] },
  {},
);

const order = MODULES.slice(0, -1).map((name, index) =>
  not(
    `module-order-${name.replace('/', '-')}`,
    `${name} comes before these modules: let them import it, or send a job`,
    code(`^server/src/modules/${name}/`),
    { path: `^server/src/modules/(${MODULES.slice(index + 1).join('|')})/` },
  ),
);

// biome-ignore lint/style/noDefaultExport: what dependency-cruiser reads
export default {
  forbidden: [
    not(
      'no-cycle',
      'Neither can be read, tested or removed without the other',
      { path: '' },
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    not(
      'no-orphan',
      'Nothing uses it and it uses nothing',
      { orphan: true, pathNot: [TEST, ENTRIES, '[.]d[.]ts$'] },
      {},
    ),
    not('resolvable', 'There is no such file or package', { path: '' }, { couldNotResolve: true }),
    not(
      'no-development-package',
      'npm start must work without development packages',
      code('^(contract|server|web|admin|scripts)/', [
        '^scripts/(test|check-regexes|regexes|regex-worker)[.]ts$',
        '^(web|admin)/vite[.]config[.]ts$',
      ]),
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    not('no-test-code', 'Tests stay out of the program', code('^(contract|server|web|admin|scripts)/'), {
      path: TEST,
    }),

    not('contract-alone', 'The contract knows zod and itself', code('^contract/'), {
      pathNot: ['^contract/', '^node_modules/zod/'],
    }),
    not(
      'contract-for-browsers',
      'What the browser runs of the contract must not bring zod along',
      code(BROWSER_CONTRACT),
      { pathNot: BROWSER_CONTRACT, dependencyTypesNot: ['type-only'] },
    ),
    not(
      'web-alone',
      'The site knows the contract and itself',
      { path: '^web/' },
      {
        path: '^(server|admin|scripts|bench|e2e)/',
      },
    ),
    not(
      'admin-alone',
      'The back office knows the contract, itself, the editor of writers and the diagrams',
      { path: '^admin/' },
      {
        path: '^(server|web|scripts|bench|e2e)/',
        pathNot: [EDITOR_SOURCE, DIAGRAMS],
      },
    ),
    not('editor-source', 'Writers and the back office write with it: it knows neither', code(EDITOR_SOURCE), {
      path: '^(web|admin|server)/',
      pathNot: EDITOR_SOURCE,
    }),
    not('diagrams', 'The site and the back office draw with them: they know neither', code(DIAGRAMS), {
      path: '^(web|admin|server)/',
      pathNot: DIAGRAMS,
    }),
    not(
      'browser-without-zod',
      'Only types of the contract, except its client, errors and live names: zod stays on the server',
      code('^(web|admin)/'),
      {
        path: ['^contract/', '^node_modules/zod/'],
        pathNot: BROWSER_CONTRACT,
        dependencyTypesNot: ['type-only'],
      },
    ),
    not(
      'server-to-web',
      'Only pages.ts renders, and admin.ts serves the back office',
      code('^server/', ['^server/src/http/(pages|admin)[.]ts$', '^server/src/app[.]ts$']),
      { path: '^(web|admin)/' },
    ),
    not('server-alone', 'Scripts and tests use the server, not the other way round', code('^server/'), {
      path: '^(scripts|bench|e2e)/',
    }),

    not(
      'module-face',
      'Other modules see only index.ts, and tables.ts to read',
      code('^server/src/modules/([^/]+/[^/]+)/'),
      { path: '^server/src/modules/', pathNot: '^server/src/modules/($1/|[^/]+/[^/]+/(index|tables)[.]ts$)' },
    ),
    not(
      'module-declared-once',
      'module.ts is for the list of modules',
      code('^server/src/modules/', [ALL_MODULES]),
      { path: '/module[.]ts$', pathNot: '^server/src/module[.]ts$' },
    ),
    not('modules-listed-in-all', 'all.ts knows what modules declare, nothing else', code(ALL_MODULES), {
      path: '^server/src/',
      pathNot: '/module[.]ts$',
    }),
    not(
      'module-wiring',
      'The rest of the server sees only index.ts and tables.ts, and the list of modules',
      code('^server/src/(?!modules/)'),
      { path: '^server/src/modules/', pathNot: ['/(index|tables)[.]ts$', ALL_MODULES] },
    ),
    not(
      'modules-in-app',
      'What every module declares comes together in app.ts, and the menus at the first start',
      code('^server/src/', ['^server/src/(app|first-start)[.]ts$']),
      { path: ALL_MODULES },
    ),
    not(
      'actions-without-http',
      'Actions also run in jobs and commands, where there is no request',
      code('^server/src/modules/[^/]+/[^/]+/(actions|queries|rules|tables|views|jobs)([.]ts$|/)'),
      { path: '^server/src/http/' },
    ),
    not(
      'http-without-features',
      'What belongs to one module is serve.ts in that module; sessions, settings and the log are for all calls',
      code('^server/src/http/'),
      { path: '^server/src/modules/(?!(platform/settings|accounts/access|accounts/users)/)' },
    ),
    listed,
    ...order,
    ...layers,

    not('web-lib', 'lib is the ground of the site', code('^web/src/lib/'), {
      path: '^web/src/',
      pathNot: '^web/src/lib/',
    }),
    not('web-ui', 'ui knows no feature', code('^web/src/ui/'), {
      path: '^web/src/',
      pathNot: '^web/src/(ui|lib)/',
    }),
    not('web-features', 'A feature knows ui, lib and itself', code('^web/src/features/([^/]+)/'), {
      path: '^web/src/',
      pathNot: ['^web/src/(features/$1|ui|lib)/', ROUTER],
    }),
    not('web-pages', 'Pages compose features, not each other', code('^web/src/pages/'), {
      path: '^web/src/',
      pathNot: ['^web/src/(features|ui|lib)/', ROUTER, '[.]css$'],
    }),
  ],
  options: {
    // TypeScript 7 has no API for it to parse with; swc tells type-only imports as well.
    parser: 'swc',
    moduleSystems: ['es6'],
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(web|admin)/dist/|^e2e/results/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
