/** Import boundaries; see ARCHITECTURE.md. */

/**
 * The server modules by layer, lowest first. A module imports only modules before it, including their tables; a
 * dependency in the other direction is a job or an event.
 */
const LAYERS = {
  platform: ['settings', 'text', 'sensitive-words', 'search', 'mail-sms', 'uploads', 'dicts', 'ledger'],
  accounts: ['access', 'activity', 'users', 'bans', 'webhooks'],
  content: [
    'categories',
    'covers',
    'essays',
    'site',
    'comments',
    'shares',
    'downloads',
    'feeds',
    'trends',
    'directory',
    'redirects',
  ],
  messaging: ['chats', 'inbox'],
  payments: ['members', 'orders', 'wallet'],
  admin: [
    'reports',
    'stats',
    'traffic',
    'transfer',
    'media',
    'account-closing',
    'backups',
    'system',
    'checklist',
    'demo',
  ],
};
const MODULES = Object.entries(LAYERS).flatMap(([layer, names]) => names.map((name) => `${layer}/${name}`));

/** Files of the contract that browser code may import; the others need zod, so browsers import only their types. */
const BROWSER_CONTRACT =
  '^contract/src/((allowed-tags|anchoring|attachment-link|client|colour|content-length|default-settings|drawing-limits|enums|errors|highlight-colors|live|money|page-address|text-scan|web-address|word-count)[.]ts$|enums/)';

const WORKSPACES = ['contract', 'client', 'editor', 'postgres', 'server', 'web', 'admin'];
/** Code outside the packages. */
const LOOSE = ['scripts', 'bench', 'e2e'];

/**
 * The features of the reader site, lowest first. A feature imports only features before it; the last ones combine the
 * others.
 */
const FEATURES = [
  ...['credentials', 'sign-in', 'reports', 'essays', 'people', 'paying', 'columns', 'account', 'settings'],
  ...['search', 'home', 'own-essays', 'collections', 'comments', 'rewards', 'letters'],
  ...['conversations', 'chats', 'rooms', 'reacting', 'highlights', 'reading'],
  ...['code-farmers', 'code-stars', 'experts', 'profile', 'orders', 'wallet', 'members', 'notices', 'stats'],
  ...['writing', 'publishing', 'versions', 'import-essays', 'editor', 'site'],
];

/** The file that lists all modules. */
const ALL_MODULES = '^server/src/modules/all[.]ts$';

const TEST = '[.](test|spec)[.]tsx?$|^(server|postgres)/src/testing/|-fixture[.]ts$';
const ENTRIES =
  '^(scripts|bench)/|^e2e/(global-setup|draw-demo)[.]ts$|^(web|admin)/(vite[.]config|src/(entry-|main|boot|diagram))|[.-]worker[.]ts$';

const not = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const code = (path, pathNot = []) => ({ path, pathNot: [TEST, pathNot].flat() });
const anyOf = (folders) => `^(${folders.join('|')})/`;

/** A package, including its tests, and the workspace packages that it may import. */
const knows = (name, ...known) =>
  not(
    `${name}-alone`,
    `${name} knows ${known.join(', ') || 'no other package'} of ours`,
    { path: `^${name}/` },
    { path: anyOf([...WORKSPACES, ...LOOSE].filter((each) => each !== name && !known.includes(each))) },
  );

/** For every module: `from` and the files of the same module that it must not import. */
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
  // A simple read may call its query without an action.
  layer('routes', 'index|rules|tables', { typesToo: false }),
  layer('serve', 'index|routes|rules|tables', { typesToo: false }),
];

const listed = not(
  'module-listed',
  'Give a new module its place in LAYERS',
  { path: '^server/src/modules/', pathNot: [`^server/src/modules/(${MODULES.join('|')})/`, ALL_MODULES] },
  {},
);

const featureListed = not(
  'feature-listed',
  'Give a new feature its place in FEATURES',
  { path: '^web/src/features/', pathNot: `^web/src/features/(${FEATURES.join('|')})/` },
  {},
);

const featureOrder = FEATURES.slice(0, -1).map((name, index) =>
  not(
    `feature-order-${name}`,
    `${name} comes before these features: let them import it`,
    code(`^web/src/features/${name}/`),
    { path: `^web/src/features/(${FEATURES.slice(index + 1).join('|')})/` },
  ),
);

const order = MODULES.slice(0, -1).map((name, index) =>
  not(
    `module-order-${name.replace('/', '-')}`,
    `${name} comes before these modules: let them import it, or send a job`,
    code(`^server/src/modules/${name}/`),
    { path: `^server/src/modules/(${MODULES.slice(index + 1).join('|')})/` },
  ),
);

// biome-ignore lint/style/noDefaultExport: dependency-cruiser requires it
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
      code(anyOf([...WORKSPACES, 'scripts']), [
        '^scripts/(test|check-regexes|regexes|regex-worker)[.]ts$',
        '^(web|admin)/vite[.]config[.]ts$',
      ]),
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    not(
      'declared',
      'The package that imports it has to declare it: the package.json beside its src, not that of another',
      { path: '' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    not('no-test-code', 'Tests stay out of the program', code(anyOf([...WORKSPACES, 'scripts'])), {
      path: TEST,
    }),

    not('contract-only-zod', 'The contract knows zod and itself', code('^contract/'), {
      pathNot: ['^contract/', '^node_modules/zod/'],
    }),
    not(
      'contract-for-browsers',
      'What the browser runs of the contract must not bring zod along',
      code(BROWSER_CONTRACT),
      { pathNot: BROWSER_CONTRACT, dependencyTypesNot: ['type-only'] },
    ),
    knows('contract'),
    knows('postgres'),
    knows('client', 'contract'),
    knows('editor', 'contract'),
    knows('web', 'contract', 'client', 'editor'),
    knows('admin', 'contract', 'client', 'editor'),
    knows('server', 'contract', 'postgres', 'web', 'admin'),
    not(
      'browser-without-zod',
      'Only types of the contract, except its client, errors and live names: zod stays on the server',
      code('^(client|editor|web|admin)/'),
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

    not('admin-lib', 'lib is the ground of the back office', code('^admin/src/lib/'), {
      path: '^admin/src/',
      pathNot: '^admin/src/lib/',
    }),
    not('admin-ui', 'ui knows no feature', code('^admin/src/ui/'), {
      path: '^admin/src/',
      pathNot: '^admin/src/(ui|lib)/',
    }),
    not('admin-features', 'A feature knows ui, lib and itself', code('^admin/src/features/([^/]+)/'), {
      path: '^admin/src/',
      pathNot: '^admin/src/(features/$1|ui|lib)/',
    }),
    not('admin-screens', 'Screens compose features, not each other', code('^admin/src/screens/'), {
      path: '^admin/src/',
      pathNot: '^admin/src/(features|ui|lib)/',
    }),

    not('web-lib', 'lib is the ground of the site', code('^web/src/lib/'), {
      path: '^web/src/',
      pathNot: '^web/src/lib/',
    }),
    not('web-router', 'The router knows lib, and the pages by its table', code('^web/src/router/'), {
      path: '^web/src/',
      pathNot: ['^web/src/(router|lib)/', '^web/src/pages/'],
    }),
    not(
      'web-route-table',
      'Only the table of routes names pages, and it fetches them',
      code('^web/src/router/', '^web/src/router/routes[.]ts$'),
      { path: '^web/src/pages/' },
    ),
    not('web-ui', 'ui knows no feature', code('^web/src/ui/'), {
      path: '^web/src/',
      pathNot: '^web/src/(ui|router|lib)/',
    }),
    not(
      'web-features',
      'A feature knows features before it, ui, router and lib',
      code('^web/src/features/'),
      {
        path: '^web/src/',
        pathNot: '^web/src/(features|ui|router|lib)/',
      },
    ),
    featureListed,
    ...featureOrder,
    not('web-pages', 'Pages compose features, not each other', code('^web/src/pages/'), {
      path: '^web/src/',
      pathNot: ['^web/src/(features|ui|router|lib)/', '[.]css$'],
    }),
  ],
  options: {
    // TypeScript 7 has no parser API; swc also distinguishes type-only imports.
    parser: 'swc',
    moduleSystems: ['es6'],
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^[^/]+/dist/|^e2e/results/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
