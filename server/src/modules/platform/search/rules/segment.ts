import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/*
 * Chinese words as jieba finds them without guessing at unknown ones: of all ways to cut a text into words of the
 * dictionary, the likeliest. In JavaScript, since the native package has no build for some of our systems.
 */

const decompress = promisify(brotliDecompress);
const folder = join(import.meta.dirname, '..');
const SLOTS = 1 << 20;
const LINES_AT_A_TIME = 5000;
const HAN_FIRST = 0x4e00;
const HAN_LAST = 0x9fff;
/** Added by us: likelier than any way to cut through them. */
const OWN_WEIGHT = -7;

/** A tree of characters in flat arrays: an object for each of half a million nodes would take ten times the memory. */
export interface Dictionary {
  /** The node and the character that lead to each child, and the child. */
  parents: Uint32Array;
  characters: Uint16Array;
  children: Uint32Array;
  /** The logarithm of a word's probability; 0 where no word ends. */
  weights: Float32Array;
  nodes: number;
}

export const isHan = (unit: number): boolean => unit >= HAN_FIRST && unit <= HAN_LAST;

let loading: Promise<Dictionary> | null = null;

/** Read at first use, in pieces, so that nobody waits for it as a whole. */
export function loadDictionary(): Promise<Dictionary> {
  loading ??= readDictionary().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** The dictionary of jieba, its file unchanged: on each line a word, its count and its part of speech. */
export const readJieba = async (): Promise<string[]> =>
  (await decompress(await readFile(join(folder, 'jieba/dict.txt.br')))).toString().split('\n');

async function readDictionary(): Promise<Dictionary> {
  const lines = await readJieba();
  const own = (await readFile(join(folder, 'terms.txt'), 'utf8')).split('\n');
  const dictionary: Dictionary = {
    parents: new Uint32Array(SLOTS),
    characters: new Uint16Array(SLOTS),
    children: new Uint32Array(SLOTS),
    weights: new Float32Array(SLOTS),
    nodes: 1,
  };
  let sum = 0;
  for (const [index, line] of lines.entries()) {
    const [word = '', count] = line.split(' ');
    // Logarithms of counts first: what they are divided by is known at the end.
    if (isChinese(word)) add(dictionary, word, Math.log(Math.max(Number(count), 1)));
    sum += Number(count) || 0;
    if (index % LINES_AT_A_TIME === 0) await pause();
  }
  const total = Math.log(sum);
  for (let node = 0; node < dictionary.nodes; node++) {
    if (dictionary.weights[node] !== 0) dictionary.weights[node] = weight(dictionary, node) - total;
  }
  for (const word of own.map((line) => line.trim())) if (isChinese(word)) add(dictionary, word, OWN_WEIGHT);
  return dictionary;
}

const isChinese = (word: string): boolean => /^[\u4e00-\u9fff]+$/.test(word);
const weight = (dictionary: Dictionary, node: number): number => dictionary.weights[node] ?? 0;

function add(dictionary: Dictionary, word: string, value: number): void {
  let node = 0;
  for (let index = 0; index < word.length; index++) {
    const character = word.charCodeAt(index);
    const slot = findSlot(dictionary, node, character);
    if (dictionary.children[slot] === 0) {
      dictionary.parents[slot] = node;
      dictionary.characters[slot] = character;
      dictionary.children[slot] = dictionary.nodes++;
    }
    node = dictionary.children[slot] ?? 0;
  }
  // A count of 1 has the logarithm 0, which would say that there is no word.
  dictionary.weights[node] = value === 0 ? Number.EPSILON : value;
}

/** Where the child is, or would be. */
function findSlot(dictionary: Dictionary, node: number, character: number): number {
  let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(character, 0x85ebca6b)) >>> 12;
  while (
    dictionary.children[slot] !== 0 &&
    (dictionary.parents[slot] !== node || dictionary.characters[slot] !== character)
  ) {
    slot = (slot + 1) & (SLOTS - 1);
  }
  return slot;
}

/** An unknown character alone is less likely than any word. */
const UNKNOWN = -20;

export interface Cut {
  /** Where the words of the likeliest cut begin; the last number is the end. */
  bounds: number[];
  /** Every word of two characters and more, whether or not the cut has it: pairs of begin and end. */
  words: number[];
}

/** Cuts a run of Chinese characters. */
export function cut(dictionary: Dictionary, text: string): Cut {
  const length = text.length;
  const best = new Float64Array(length + 1);
  const next = new Uint32Array(length);
  const words: number[] = [];
  for (let begin = length - 1; begin >= 0; begin--) {
    let score = Number.NEGATIVE_INFINITY;
    let node = 0;
    for (let end = begin + 1; end <= length; end++) {
      const child = dictionary.children[findSlot(dictionary, node, text.charCodeAt(end - 1))] ?? 0;
      const value = child === 0 ? 0 : weight(dictionary, child);
      const isAlone = end === begin + 1;
      if (value !== 0 || isAlone) {
        const total = (value === 0 ? UNKNOWN : value) + (best[end] ?? 0);
        // At equal odds the longer word.
        if (total >= score) {
          score = total;
          next[begin] = end;
        }
        if (!isAlone) words.push(begin, end);
      }
      if (child === 0) break;
      node = child;
    }
    best[begin] = score;
  }
  const bounds = [0];
  for (let at = 0; at < length; ) {
    at = next[at] ?? length;
    bounds.push(at);
  }
  return { bounds, words };
}

/** How likely a word is, as a logarithm; unknown ones and our own are rare. */
export function oddsOf(dictionary: Dictionary, word: string): number {
  let node = 0;
  for (let index = 0; index < word.length; index++) {
    node = dictionary.children[findSlot(dictionary, node, word.charCodeAt(index))] ?? 0;
    if (node === 0) return UNKNOWN;
  }
  const value = weight(dictionary, node);
  return value === 0 || value === OWN_WEIGHT ? UNKNOWN : value;
}
