import {
  LanguageDescription,
  LanguageSupport,
  StreamLanguage,
  type StreamParser,
} from '@codemirror/language';

type Parser = StreamParser<unknown>;

const language = (names: string, load: () => Promise<Parser>) => {
  const [name = '', ...alias] = names.split(' ');
  return LanguageDescription.of({
    name,
    alias,
    load: async () => new LanguageSupport(StreamLanguage.define(await load())),
  });
};

const clike = () => import('@codemirror/legacy-modes/mode/clike');
const javascript = () => import('@codemirror/legacy-modes/mode/javascript');
const sql = () => import('@codemirror/legacy-modes/mode/sql');

/** Loaded when the text has a code block in this language. */
export const codeLanguages: LanguageDescription[] = [
  language('javascript js jsx mjs cjs node', async () => (await javascript()).javascript),
  language('typescript ts tsx mts', async () => (await javascript()).typescript),
  language('json json5 jsonc', async () => (await javascript()).json),
  language('c h', async () => (await clike()).c),
  language('cpp c++ hpp cc', async () => (await clike()).cpp),
  language('java', async () => (await clike()).java),
  language('csharp c# cs', async () => (await clike()).csharp),
  language('kotlin kt', async () => (await clike()).kotlin),
  language('scala', async () => (await clike()).scala),
  language('dart', async () => (await clike()).dart),
  language('objective-c objc', async () => (await clike()).objectiveC),
  language('sql', async () => (await sql()).standardSQL),
  language('pgsql postgresql postgres plpgsql', async () => (await sql()).pgSQL),
  language('mysql', async () => (await sql()).mySQL),
  language('python py', async () => (await import('@codemirror/legacy-modes/mode/python')).python),
  language(
    'shell sh bash zsh console',
    async () => (await import('@codemirror/legacy-modes/mode/shell')).shell,
  ),
  language(
    'powershell ps1',
    async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell,
  ),
  language('rust rs', async () => (await import('@codemirror/legacy-modes/mode/rust')).rust),
  language('go golang', async () => (await import('@codemirror/legacy-modes/mode/go')).go),
  language('ruby rb', async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby),
  language('swift', async () => (await import('@codemirror/legacy-modes/mode/swift')).swift),
  language('lua', async () => (await import('@codemirror/legacy-modes/mode/lua')).lua),
  language('perl pl', async () => (await import('@codemirror/legacy-modes/mode/perl')).perl),
  language('r', async () => (await import('@codemirror/legacy-modes/mode/r')).r),
  language('haskell hs', async () => (await import('@codemirror/legacy-modes/mode/haskell')).haskell),
  language('css', async () => (await import('@codemirror/legacy-modes/mode/css')).css),
  language('less scss', async () => (await import('@codemirror/legacy-modes/mode/css')).less),
  language('html xhtml vue', async () => (await import('@codemirror/legacy-modes/mode/xml')).html),
  language('xml svg', async () => (await import('@codemirror/legacy-modes/mode/xml')).xml),
  language('yaml yml', async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml),
  language('toml', async () => (await import('@codemirror/legacy-modes/mode/toml')).toml),
  language(
    'ini properties conf',
    async () => (await import('@codemirror/legacy-modes/mode/properties')).properties,
  ),
  language(
    'dockerfile docker',
    async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile,
  ),
  language('nginx', async () => (await import('@codemirror/legacy-modes/mode/nginx')).nginx),
  language('diff patch', async () => (await import('@codemirror/legacy-modes/mode/diff')).diff),
];

/** The language named after the opening fence; anything after a space or brace is an option. */
export function findCodeLanguage(info: string): LanguageDescription | null {
  const [name = ''] = info.toLowerCase().split(/[\s{,:]/);
  return codeLanguages.find((each) => each.alias.includes(name)) ?? null;
}
