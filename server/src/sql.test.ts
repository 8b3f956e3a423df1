import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseSync } from '@swc/core';
import { expect, test } from 'vitest';

const root = import.meta.dirname;

interface Node {
  type: string;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function walk(value: unknown, found: Node[] = []): Node[] {
  if (Array.isArray(value)) for (const each of value) walk(each, found);
  else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) found.push(value);
    for (const each of Object.values(value)) if (typeof each === 'object') walk(each, found);
  }
  return found;
}

const parse = (code: string): Node[] => walk(parseSync(code, { syntax: 'typescript' }));

const get = (node: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Node)[key] : undefined),
    node,
  );

const listFiles = (pattern: RegExp): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file))
    .sort();

const sources = listFiles(/^(?!testing\/).*(?<![.]test|fixture)[.]ts$/);
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The call of `execute` or `query` in this expression, awaited or not. */
function statementOf(node: unknown): Node | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'AwaitExpression') return statementOf(node.argument);
  if (node.type === 'ParenthesisExpression') return statementOf(node.expression);
  if (node.type === 'ConditionalExpression')
    return statementOf(node.consequent) ?? statementOf(node.alternate);
  const name = get(node, 'callee', 'property', 'value');
  return node.type === 'CallExpression' && (name === 'execute' || name === 'query') ? node : undefined;
}

const destructuresRows = (pattern: unknown): boolean =>
  isNode(pattern) &&
  pattern.type === 'ObjectPattern' &&
  (pattern.properties as Node[]).some(
    (property) => (get(property, 'key', 'value') ?? get(property, 'key', 'value', 'value')) === 'rows',
  );

/** Finds uses of rows of hand-written SQL that are not validated by a schema. */
function uncheckedRows(code: string): string[] {
  const nodes = parse(code);
  const results = new Set(
    nodes
      .filter((node) => node.type === 'VariableDeclarator' && statementOf(node.init) !== undefined)
      .map((node) => get(node, 'id', 'value')),
  );
  return nodes.flatMap((node) => {
    if (statementOf(node) === node && isNode(node.typeArguments)) return ['a type argument of a statement'];
    if (node.type === 'TaggedTemplateExpression' && isNode(node.typeParameters))
      return ['a type argument of SQL'];
    if (node.type === 'TsAsExpression' && statementOf(node.expression)) return ['an assertion'];
    if (node.type === 'VariableDeclarator' && destructuresRows(node.id) && statementOf(node.init))
      return ['{ rows }'];
    if (node.type === 'MemberExpression' && get(node, 'property', 'value') === 'rows') {
      const isResult = statementOf(node.object) ?? results.has(get(node, 'object', 'value'));
      return isResult ? ['.rows'] : [];
    }
    if (get(node, 'callee', 'property', 'value') === 'then' && statementOf(get(node, 'callee', 'object'))) {
      return walk(node).some(destructuresRows) ? ['then ({ rows })'] : [];
    }
    return [];
  });
}

test.each([
  'const result = await db.execute<{ id: string }>(sql`select id from t`);',
  "const result = await pool.query<{ id: string }>('select id from t');",
  'const { rows } = await db.execute(sql`select id from t`);',
  'const { rows: found } = await db.execute(sql`select id from t`);',
  'const { rows } = isAll ? { rows: [] } : await db.execute(sql`select id from t`);',
  "const found = (await pool.query('select id from t')).rows;",
  'const result = await db.execute(sql`select id from t`); use(result.rows[0]);',
  "const found = pool.query('select id from t').then(({ rows }) => rows);",
  'const result = (await db.execute(sql`select id from t`)) as { rows: Row[] };',
  'db.select({ count: sql<number>`count(*)::int` })',
])('finds unvalidated rows in %s', (code) => {
  expect(uncheckedRows(code)).toHaveLength(1);
});

test.each([
  'const result = await db.execute(sql`select id from t`); use(parseRows(idRow, result));',
  'const { rowCount } = await db.execute(sql`delete from t`);',
  'const rows = await db.select().from(t);',
  'const list = manifest.tables.map(({ rows }) => rows);',
  'db.select({ count: sqlInt`count(*)::int` })',
])('accepts %s', (code) => {
  expect(uncheckedRows(code)).toEqual([]);
});

test('rows of hand-written SQL are validated by a schema', () => {
  const found = sources
    .filter((file) => file !== 'db/rows.ts')
    .flatMap((file) => uncheckedRows(read(file)).map((what) => `${file}: ${what}`));
  expect(sources.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

/** Pairs of constant name and table name in a `tables.ts`. */
const declaredTables = (code: string): [string, string][] =>
  parse(code).flatMap((node) => {
    if (node.type !== 'VariableDeclarator' || get(node, 'init', 'callee', 'value') !== 'pgTable') return [];
    const [first] = get(node, 'init', 'arguments') as Node[];
    return [[String(get(node, 'id', 'value')), String(get(first, 'expression', 'value'))]];
  });

const modules = new Map(
  listFiles(/(^|\/)tables[.]ts$/).map((file) => [dirname(file), new Map(declaredTables(read(file)))]),
);
/** Stands for the module of files outside modules and of tables that no `tables.ts` declares. */
const SERVER = '.';
const migrations = join(root, '../migrations');
const created = readdirSync(migrations).flatMap((file) => [
  ...readFileSync(join(migrations, file), 'utf8').matchAll(
    /create (?:unlogged )?table (?:if not exists )?(\w+)/g,
  ),
]);
const owners = new Map([
  ['migrations', SERVER],
  ...created.map(([, name = '']): [string, string] => [name, SERVER]),
  ...[...modules].flatMap(([module, tables]) =>
    [...tables.values()].map((name): [string, string] => [name, module]),
  ),
]);

function moduleOf(file: string): string {
  for (let folder = dirname(file); folder !== SERVER; folder = dirname(folder))
    if (modules.has(folder)) return folder;
  return file.startsWith('modules/') ? dirname(file) : SERVER;
}

const importedTables = (file: string, nodes: Node[]): Map<string, string> =>
  new Map(
    nodes
      .filter((node) => node.type === 'ImportDeclaration')
      .flatMap((node) => {
        const source = String(get(node, 'source', 'value'));
        const tables = modules.get(dirname(join(dirname(file), source)));
        if (basename(source) !== 'tables.ts' || tables === undefined) return [];
        return (node.specifiers as Node[]).flatMap((specifier): [string, string][] => {
          const local = String(get(specifier, 'local', 'value'));
          const name = tables.get(String(get(specifier, 'imported', 'value') ?? local));
          return name === undefined ? [] : [[local, name]];
        });
      }),
  );

/** Placeholder for a table whose name is in a variable. */
const VARIABLE = '$table';

const firstArgument = (node: Node): string =>
  String(get((node.arguments as Node[] | undefined)?.[0], 'expression', 'value'));

function toSqlText(expression: Node, imported: Map<string, string>, isTagged: boolean): string {
  const isName = get(expression, 'callee', 'value') === 'getTableName';
  const table = imported.get(isName ? firstArgument(expression) : String(get(expression, 'value')));
  if (table !== undefined) return table;
  // In a tagged template a variable is a parameter or other SQL, which is checked where it is written.
  return isTagged && get(expression, 'callee', 'property', 'value') !== 'identifier' ? '?' : VARIABLE;
}

/** Every string and template, with inserted table names resolved. */
function listTexts(nodes: Node[], imported: Map<string, string>): string[] {
  const tagged = new Set(
    nodes.filter((node) => node.type === 'TaggedTemplateExpression').map((node) => node.template),
  );
  return nodes.flatMap((node) => {
    if (node.type === 'StringLiteral') return [String(node.value)];
    if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return [];
    const expressions = node.expressions as Node[];
    const text = node.quasis
      .map((quasi: Node, index) => {
        const expression = expressions[index];
        return `${quasi.cooked}${expression === undefined ? '' : toSqlText(expression, imported, tagged.has(node))}`;
      })
      .join('');
    // A fragment that starts with a table name is used after a `from` elsewhere.
    const [first = ''] = text.trim().split(/\s/);
    return [tagged.has(node) && owners.has(first) ? `from ${text.trim()}` : text];
  });
}

interface Mention {
  table: string;
  isWrite: boolean;
}

const NAME = '"?[\\w$]+"?(?: (?:as )?\\w+)?';
const CLAUSE = new RegExp(
  '\\b(insert into|merge into|delete from|update|truncate(?: table)?|alter table|lock table|analyze|from|join|using)' +
    ` (?:only )?(?=(${NAME}(?:, ?${NAME})*))`,
  'g',
);
const WRITE = /^(insert|merge|delete|update|truncate|alter)/;

function mentionsOf(text: string): Mention[] {
  const statement = text
    .replace(/--.*$/gm, '')
    .replace(/'[^']*'/g, "''")
    .replace(/\s+/g, ' ');
  const subqueries = new Set(
    [...statement.matchAll(/\b(\w+) as (?:not )?(?:materialized )?\(/g)].map(([, name]) => name),
  );
  return [...statement.matchAll(CLAUSE)].flatMap(([, verb = '', list = '']) =>
    list
      .split(',')
      .map((each) => each.trim().split(' ')[0]?.replaceAll('"', '') ?? '')
      .filter((table) => table === VARIABLE || (owners.has(table) && !subqueries.has(table)))
      .map((table) => ({ table, isWrite: WRITE.test(verb) })),
  );
}

/** Writes of the query builder: `.insert(essays)`, `.update(essays)`, `.delete(essays)`. */
const builtWrites = (nodes: Node[], imported: Map<string, string>): Mention[] =>
  nodes
    .filter((node) => /^(insert|update|delete)$/.test(String(get(node, 'callee', 'property', 'value'))))
    .flatMap((node) => imported.get(firstArgument(node)) ?? [])
    .map((table) => ({ table, isWrite: true }));

/** Accesses in the file to tables of other modules that break the rules. */
function foreignTables(file: string, code: string): string[] {
  const nodes = parse(code);
  const imported = importedTables(file, nodes);
  const readable = new Set(imported.values());
  const mentions = [...listTexts(nodes, imported).flatMap(mentionsOf), ...builtWrites(nodes, imported)];
  const found = mentions.flatMap(({ table, isWrite }) => {
    if (table === VARIABLE) return [isWrite ? 'writes a variable table' : 'reads a variable table'];
    if (owners.get(table) === moduleOf(file)) return [];
    if (isWrite) return [`writes ${table}`];
    return readable.has(table) ? [] : [`reads ${table}`];
  });
  return [...new Set(found)];
}

/** Allowed findings (by prefix) for each path suffix. */
const EXCEPTIONS: Record<string, string[]> = {
  // A backup contains every table that the migrations create.
  '/backups/catalog.ts': ['reads a variable table'],
  '/backups/dump.ts': ['reads a variable table'],
  '/backups/restore.ts': [
    'reads users',
    'reads a variable table',
    'writes a variable table',
    'writes webhook_deliveries',
  ],
  // Recount the rows of other modules without writing.
  '/system/counters.ts': ['reads '],
  '/system/ledger.ts': ['reads '],
  // Re-encrypts the secrets in all tables in one transaction before the server starts.
  'src/secrets/secrets.ts': ['reads ', 'writes '],
};

const LIKES = owners.get('comment_likes') ?? '';
const fileOfLikes = join(LIKES, 'queries/lists.ts');
const importOf = (table: string, names: string): string =>
  `import { ${names} } from '${relative(dirname(fileOfLikes), join(owners.get(table) ?? '', 'tables.ts'))}';\n`;

test.each([
  ['sql`select 1 from essays where id = 1`', 'reads essays'],
  ['sql`select 1 from comment_likes, essays`', 'reads essays'],
  ['sql`select 1 from comment_likes as l, essays as e`', 'reads essays'],
  ['sql`select 1 from comment_likes join essays on true`', 'reads essays'],
  ['sql`select 1 from comment_likes left join "essays" on true`', 'reads essays'],
  ['sqlInt`(select count(*)::int from essays)`', 'reads essays'],
  ['sql`delete from comment_likes using essays`', 'reads essays'],
  ["const TEXT = 'select 1\\nfrom essays'", 'reads essays'],
  [`const TEXT = \`select \${what} from essays\``, 'reads essays'],
  ['const source = sql`essays as e join comment_likes on true`', 'reads essays'],
  [`const TEXT = \`select 1 from \${table}\``, 'reads a variable table'],
  [`sql\`delete from \${sql.identifier(table)}\``, 'writes a variable table'],
  ['sql`insert into essays (id) select 1`', 'writes essays'],
  ['sql`with gone as (delete from essays returning id) select id from gone`', 'writes essays'],
  ['sql`truncate essays`', 'writes essays'],
  ['sql`truncate comment_likes, essays`', 'writes essays'],
  [`${importOf('essays', 'essays')}sql\`update \${essays} set title = ''\``, 'writes essays'],
  [`${importOf('essays', 'essays')}await db.update(essays).set({})`, 'writes essays'],
  [`${importOf('essays', 'essays as others')}await db.insert(others).values([])`, 'writes essays'],
  [`${importOf('essays', 'essays')}await db.delete(essays)`, 'writes essays'],
])('finds access to a table of another module: %s', (code, found) => {
  expect(foreignTables(fileOfLikes, code)).toEqual([found]);
});

test.each([
  'sql`update comment_likes set id = id from unnest(ids) as essays_of (id)`',
  'sql`with essays as materialized (select 1) select 1 from essays`',
  "sql`select 'from essays' from comment_likes`",
  'sql`select 1 from comment_likes for update`',
  'new Map().delete(key)',
  `${importOf('comment_likes', 'commentLikes')}await db.insert(commentLikes).values([])`,
  `${importOf('essays', 'essays')}await db.select().from(essays)`,
  `${importOf('essays', 'essays')}sql\`select 1 from \${essays} join comment_likes on true\``,
  `${importOf('essays', 'essays')}const TEXT = \`select 1 from \${getTableName(essays)}\``,
])('accepts SQL of a module: %s', (code) => {
  expect(foreignTables(fileOfLikes, code)).toEqual([]);
});

test('hand-written SQL reads only own or imported tables and writes only own tables', () => {
  expect(modules.size).toBeGreaterThan(20);
  const unused = new Set(
    Object.entries(EXCEPTIONS).flatMap(([file, each]) => each.map((what) => `${file} ${what}`)),
  );
  const found = sources.flatMap((file) => {
    const [end = '', allowed = []] =
      Object.entries(EXCEPTIONS).find(([end]) => `src/${file}`.endsWith(end)) ?? [];
    return foreignTables(file, read(file)).flatMap((what) => {
      const exception = allowed.find((begin) => what.startsWith(begin));
      unused.delete(`${end} ${exception}`);
      return exception === undefined ? [`${file} ${what}`] : [];
    });
  });
  expect(found).toEqual([]);
  expect([...unused]).toEqual([]);
});
