import type { EncodingNote, Piece, TokenIds, UndefinedResult } from '../replay/requests';
import { renderChat, TemplateError } from './chatTemplate';
import { strippedConversations } from './stripped';
import type { Encoded, PolicyTokenizer } from './tokenizer';

interface EncodedPiece {
  readonly ids: TokenIds;
  /** The text that was encoded; absent for ids that stand as recorded. */
  readonly text?: string;
  readonly encoded?: Encoded;
  readonly notes: readonly Note[];
}

type Note = Omit<EncodingNote, 'piece'>;

/** A piece that has no encoding. */
export class PieceError extends Error {
  constructor(
    readonly code: UndefinedResult['code'],
    message: string,
  ) {
    super(message);
  }
}

/** Turns the pieces of a context into token ids, each on its own. */
export class Encoder {
  /** Conversations found for stripped texts; a prompt is asked about once for each of a trajectory's contexts. */
  readonly #rebuilt = new Map<string, string | undefined>();

  constructor(
    readonly tokenizer: PolicyTokenizer,
    readonly template: string | undefined,
    /** Ids below this are in the model's vocabulary. */
    readonly vocabulary: number,
  ) {}

  /** `first`: the piece opens its context, so raw text gets BOS where the tokenizer's configuration says so. Throws PieceError. */
  encode(piece: Piece, first: boolean): EncodedPiece {
    if ('text' in piece && !('ids' in piece)) return this.#raw(piece.text, first, this.specialNotes(piece.text));
    if ('ids' in piece) return this.#recorded(piece.ids, piece.text, first);
    if ('chat' in piece) return this.#chat(piece, first);
    return this.#stripped(piece.stripped, first);
  }

  #chat({ chat }: Extract<Piece, { chat: unknown }>, first: boolean): EncodedPiece {
    const notes = chat.flatMap((message) => this.specialNotes(message.content)).slice(0, 1);
    if (this.template === undefined) return this.#raw(chat.map((message) => message.content).join('\n'), first, notes);
    try {
      return this.#text(renderChat(this.template, chat, this.tokenizer.specials), notes);
    } catch (error) {
      if (error instanceof TemplateError) throw new PieceError('bad-template', error.message);
      throw error;
    }
  }

  #stripped(text: string, first: boolean): EncodedPiece {
    const rebuilt = this.#rebuild(text);
    if (rebuilt !== undefined) {
      return this.#text(rebuilt, [{ code: 'prompt-rebuilt', message: "The recorded prompt had lost its special tokens; they were rebuilt through the policy's chat template." }]);
    }
    const why = this.template === undefined ? 'has no chat template' : 'has a chat template that does not give this text back';
    const message = `The recorded prompt has lost its special tokens and the policy ${why}; it runs as the text it is.`;
    return this.#raw(text, first, [{ code: 'prompt-kept-as-text', message }]);
  }

  #rebuild(text: string): string | undefined {
    if (this.#rebuilt.has(text)) return this.#rebuilt.get(text);
    const found = this.template === undefined ? undefined : this.#findConversation(this.template, text);
    if (this.#rebuilt.size >= 256) this.#rebuilt.clear();
    this.#rebuilt.set(text, found);
    return found;
  }

  #findConversation(template: string, text: string): string | undefined {
    for (const messages of strippedConversations(text)) {
      try {
        const rendered = renderChat(template, messages, this.tokenizer.specials);
        if (this.tokenizer.decode(this.tokenizer.encode(rendered).ids, 'skip') === text) return rendered;
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error;
      }
    }
    return undefined;
  }

  #recorded(ids: TokenIds, text: string | undefined, first: boolean): EncodedPiece {
    const bad = ids.find((id) => !Number.isSafeInteger(id) || id < 0 || id >= this.vocabulary);
    if (text === undefined) {
      if (bad === undefined) return { ids, notes: [] };
      const size = String(this.vocabulary);
      throw new PieceError('bad-ids', `The recorded token ids hold ${String(bad)}, and the policy's vocabulary has ${size} tokens: they are another policy's.`);
    }
    if (bad === undefined && this.tokenizer.decode(ids, 'keep') === text) return { ids, text, notes: this.specialNotes(text) };
    const note: Note = { code: 'recorded-ids-differ', message: "The recorded token ids do not spell the recorded text under this policy's tokenizer; the text was encoded instead." };
    return this.#raw(text, first, [note, ...this.specialNotes(text)]);
  }

  #raw(text: string, first: boolean, notes: readonly Note[]): EncodedPiece {
    const piece = this.#text(text, notes);
    const { bos } = this.tokenizer;
    if (!first || bos === undefined || piece.ids[0] === bos) return piece;
    return { ids: [bos, ...piece.ids], notes };
  }

  #text(text: string, notes: readonly Note[]): EncodedPiece {
    const encoded = this.tokenizer.encode(text);
    return { ids: encoded.ids, text, encoded, notes };
  }

  /** A note where a special token stands in text that we did not render. */
  specialNotes(text: string): Note[] {
    const token = this.tokenizer.specialIn(text);
    if (token === undefined) return [];
    return [{ code: 'special-token-in-text', message: `The text holds ${JSON.stringify(token.slice(0, 60))}, which the policy's tokenizer reads as a special token.` }];
  }
}
