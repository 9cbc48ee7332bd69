import { splitWords, wordCharacter } from './pythonText';

/** `string.punctuation`: ASCII alone. Curly quotes and dashes stay. */
const punctuation = /[!-/:-@[-`{-~]/g;
const articles = new RegExp(`(?<!${wordCharacter})(?:a|an|the)(?!${wordCharacter})`, 'gu');

/** SQuAD's normalisation as FlashRAG, Search-R1 and LOTAPO have it: lower case, punctuation deleted, articles out, white space joined. */
export function normaliseAnswer(text: string): string {
  return splitWords(text.toLowerCase().replace(punctuation, '').replace(articles, ' ')).join(' ');
}

/** IGPO's and DeepResearcher's: punctuation becomes a space and articles stay. */
export function normaliseKeepingArticles(text: string): string {
  return splitWords(text.toLowerCase().replace(punctuation, ' ')).join(' ');
}
