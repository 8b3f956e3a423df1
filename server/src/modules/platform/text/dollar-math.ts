import type { Data } from 'unified';

type Extension = Extract<NonNullable<Data['micromarkExtensions']>[number], { text?: unknown }>;
type Constructs = NonNullable<NonNullable<Extension['text']>[string]>;
type Construct = Extract<Constructs, { tokenize: unknown }>;
type Code = number | null;

/** Token names of remark-math, which the tokenizer's types do not include. */
const MATH = 'mathText' as 'codeText';
const SEQUENCE = 'mathTextSequence' as 'codeTextSequence';
const DATA = 'mathTextData' as 'codeTextData';

const DOLLAR = 36;
const BACKSLASH = 92;
const isSpace = (code: Code) => code === null || code < 0 || code === 32;
const isLineEnd = (code: Code) => code !== null && code < -2;
const isDigit = (code: Code) => code !== null && code >= 48 && code <= 57;

/**
 * Parses `$…$` by Pandoc's rule, so that prices are not formulas: no space inside next to a dollar sign, and no digit
 * after the closing one. remark-math's own rule would match any two dollar signs.
 */
const dollarMath: Construct = {
  name: 'dollarMath',
  previous(code) {
    return code !== DOLLAR || this.events.at(-1)?.[1].type === 'characterEscape';
  },
  tokenize(effects, ok, nok) {
    let last: Code = null;

    return (code) => {
      effects.enter(MATH);
      effects.enter(SEQUENCE);
      effects.consume(code);
      effects.exit(SEQUENCE);
      return first;
    };

    function first(code: Code) {
      return code === DOLLAR || isSpace(code) ? nok(code) : betweenTokens(code);
    }
    function betweenTokens(code: Code): ReturnType<typeof nok> {
      if (code === null) return nok(code);
      if (code === DOLLAR) return close(code);
      if (isLineEnd(code)) {
        last = code;
        effects.enter('lineEnding');
        effects.consume(code);
        effects.exit('lineEnding');
        return betweenTokens;
      }
      effects.enter(DATA);
      return data(code);
    }
    function data(code: Code): ReturnType<typeof nok> {
      if (code === null || code === DOLLAR || isLineEnd(code)) {
        effects.exit(DATA);
        return betweenTokens(code);
      }
      effects.consume(code);
      last = code;
      return code === BACKSLASH ? escaped : data;
    }
    function escaped(code: Code): ReturnType<typeof nok> {
      if (code !== DOLLAR && code !== BACKSLASH) return data(code);
      effects.consume(code);
      last = code;
      return data;
    }
    function close(code: Code) {
      if (isSpace(last)) return nok(code);
      effects.enter(SEQUENCE);
      effects.consume(code);
      effects.exit(SEQUENCE);
      effects.exit(MATH);
      return after;
    }
    function after(code: Code) {
      return isDigit(code) || code === DOLLAR ? nok(code) : ok(code);
    }
  },
};

export function remarkDollarMath(this: { data(): Data }): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { text: { [DOLLAR]: dollarMath } }];
}
