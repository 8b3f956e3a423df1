import type { Data } from 'unified';

type Extension = Extract<NonNullable<Data['micromarkExtensions']>[number], { text?: unknown }>;
type Constructs = NonNullable<NonNullable<Extension['text']>[string]>;
type Construct = Extract<Constructs, { tokenize: unknown }>;
type Code = number | null;

/** remark-math knows these; the types of the tokenizer do not. */
const MATH = 'mathText' as 'codeText';
const SEQUENCE = 'mathTextSequence' as 'codeTextSequence';
const DATA = 'mathTextData' as 'codeTextData';

const DOLLAR = 36;
const BACKSLASH = 92;
const isSpace = (code: Code) => code === null || code < 0 || code === 32;
const isLineEnd = (code: Code) => code !== null && code < -2;
const isDigit = (code: Code) => code !== null && code >= 48 && code <= 57;

/**
 * `$…$`, as Pandoc reads it, so that prices stay prices: no space inside next to a dollar, and no digit after the
 * second. The tokens are those of remark-math, whose own rule takes any two dollars.
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
      return code === DOLLAR || isSpace(code) ? nok(code) : between(code);
    }
    function between(code: Code): ReturnType<typeof nok> {
      if (code === null) return nok(code);
      if (code === DOLLAR) return close(code);
      if (isLineEnd(code)) {
        last = code;
        effects.enter('lineEnding');
        effects.consume(code);
        effects.exit('lineEnding');
        return between;
      }
      effects.enter(DATA);
      return data(code);
    }
    function data(code: Code): ReturnType<typeof nok> {
      if (code === null || code === DOLLAR || isLineEnd(code)) {
        effects.exit(DATA);
        return between(code);
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
