type TextBefore<Text extends string, Stop extends string> = Text extends `${infer Head}${Stop}${string}`
  ? Head
  : Text;

/** `'/essay/detail/:id.html'` → `'id'`; a parameter name ends at a slash or a dot. */
type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? TextBefore<TextBefore<Rest, '/'>, '.'> | ParamNames<Rest>
  : never;

export type Params<Path extends string> = { [Name in ParamNames<Path>]: string };

/** Props of a link to a path; `params` is required when the path has parameters. */
export type LinkTarget<Path extends string> = [ParamNames<Path>] extends [never]
  ? { to: Path; params?: undefined }
  : { to: Path; params: { [Name in ParamNames<Path>]: string | number } };

const escapeText = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function compile(path: string): { names: string[]; pattern: RegExp } {
  const names: string[] = [];
  const source = path.split(/(:\w+)/).map((part) => {
    if (!part.startsWith(':')) return escapeText(part);
    names.push(part.slice(1));
    return '([^/]+?)';
  });
  return { names, pattern: new RegExp(`^${source.join('')}$`) };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export interface Match<Item> {
  item: Item;
  params: Record<string, string>;
}

/** Static paths take precedence over paths with parameters; a malformed parameter matches nothing. */
export function createMatcher<Item extends { path: string }>(items: readonly Item[]) {
  const table = items
    .map((item) => ({ item, ...compile(item.path) }))
    .sort((a, b) => a.names.length - b.names.length);

  return (pathname: string): Match<Item> | undefined => {
    for (const { item, names, pattern } of table) {
      const found = pattern.exec(pathname);
      if (found === null) continue;
      const values = found.slice(1).map(decode);
      if (values.includes(undefined)) return undefined;
      return { item, params: Object.fromEntries(names.map((name, i) => [name, values[i] ?? ''])) };
    }
    return undefined;
  };
}

export function fillPath(path: string, params?: Record<string, string | number>): string {
  if (params === undefined) return path;
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
}
