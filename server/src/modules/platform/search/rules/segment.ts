import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { normalizeUnit } from './normalize.ts';

/*
 * Chinese word segmentation by jieba's algorithm without its model for unknown words: selects the most likely way to
 * split a text into dictionary words. In JavaScript, because the native package has no build for some platforms.
 */

const decompress = promisify(brotliDecompress);
const folder = join(import.meta.dirname, '..');
const SLOTS = 1 << 20;
const LINES_PER_CHUNK = 5000;
const WORDS_PER_CHUNK = 500;
const HAN_FIRST = 0x4e00;
const HAN_LAST = 0x9fff;
/** Log probability of our own terms, higher than that of any way to split them. */
const OWN_TERM_WEIGHT = -7;

/** A trie in flat arrays, because an object for each of half a million nodes would take ten times the memory. */
export interface Dictionary {
  /** A hash table: parent node and character lead to the child node. */
  parents: Uint32Array;
  characters: Uint16Array;
  children: Uint32Array;
  /** Log probability of the word that ends at the node; 0 if none does. */
  weights: Float32Array;
  nodes: number;
}

export const isHan = (unit: number): boolean => unit >= HAN_FIRST && unit <= HAN_LAST;

let loading: Promise<Dictionary> | null = null;

/** Loads the dictionary on first use, in chunks that do not block the event loop. */
export function loadDictionary(): Promise<Dictionary> {
  loading ??= readDictionary().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** jieba's unchanged dictionary: each line has a word, its count and its part of speech. */
export const readJiebaDictionary = async (): Promise<string[]> =>
  (await decompress(await readFile(join(folder, 'jieba/dict.txt.br')))).toString().split('\n');

async function readDictionary(): Promise<Dictionary> {
  const lines = await readJiebaDictionary();
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
    // Stores log counts first, because the total is known only at the end.
    if (isChinese(word)) add(dictionary, word, Math.log(Math.max(Number(count), 1)));
    sum += Number(count) || 0;
    if (index % LINES_PER_CHUNK === 0) await pause();
  }
  const total = Math.log(sum);
  for (let node = 0; node < dictionary.nodes; node++) {
    if (dictionary.weights[node] !== 0) dictionary.weights[node] = weight(dictionary, node) - total;
  }
  for (const word of own.map((line) => line.trim()))
    if (isChinese(word)) add(dictionary, word, OWN_TERM_WEIGHT);
  return dictionary;
}

/** Returns a copy of 14 MB with more words, which have the weight of our own terms. Does not block the event loop. */
export async function extendDictionary(base: Dictionary, words: readonly string[]): Promise<Dictionary> {
  const parents = base.parents.slice();
  await pause();
  const children = base.children.slice();
  await pause();
  const weights = base.weights.slice();
  await pause();
  const dictionary = { ...base, parents, children, weights, characters: base.characters.slice() };
  for (const [index, word] of words.entries()) {
    if (index % WORDS_PER_CHUNK === 0) await pause();
    add(dictionary, word, OWN_TERM_WEIGHT);
  }
  return dictionary;
}

const isChinese = (word: string): boolean => /^[\u4e00-\u9fff]+$/.test(word);
const weight = (dictionary: Dictionary, node: number): number => dictionary.weights[node] ?? 0;

/** Adds the word in the form that texts are normalised to: 什么 as 什幺, 著名 as 着名. */
function add(dictionary: Dictionary, word: string, value: number): void {
  let node = 0;
  for (let index = 0; index < word.length; index++) {
    const character = normalizeUnit(word.charCodeAt(index));
    const slot = findSlot(dictionary, node, character);
    if (dictionary.children[slot] === 0) {
      dictionary.parents[slot] = node;
      dictionary.characters[slot] = character;
      dictionary.children[slot] = dictionary.nodes++;
    }
    node = dictionary.children[slot] ?? 0;
  }
  // A count of 1 has the logarithm 0, which would mean that no word ends here.
  const added = value === 0 ? Number.EPSILON : value;
  const known = weight(dictionary, node);
  dictionary.weights[node] = known === 0 ? added : Math.max(known, added);
}

/** Returns the slot of the child, or the free slot for it. */
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

/** Log probability of an unknown character, lower than that of any word. */
const UNKNOWN_LOG_PROBABILITY = -20;

export interface Segmentation {
  /** Start offsets of the words of the most likely segmentation, then the end of the text. */
  bounds: number[];
  /** All dictionary words of at least two characters, as alternating start and end offsets. */
  words: number[];
}

export function segment(dictionary: Dictionary, text: string): Segmentation {
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
        const total = (value === 0 ? UNKNOWN_LOG_PROBABILITY : value) + (best[end] ?? 0);
        // Prefers the longer word if the probabilities are equal.
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

/** Our own terms count as unknown, because their weight is not a real probability. */
export function logProbabilityOf(dictionary: Dictionary, word: string): number {
  let node = 0;
  for (let index = 0; index < word.length; index++) {
    node = dictionary.children[findSlot(dictionary, node, word.charCodeAt(index))] ?? 0;
    if (node === 0) return UNKNOWN_LOG_PROBABILITY;
  }
  const value = weight(dictionary, node);
  return value === 0 || value === OWN_TERM_WEIGHT ? UNKNOWN_LOG_PROBABILITY : value;
}
