/** How a chat template marks who speaks, as far as its text goes. Patterns are literal alternatives; those that are searched for are global. */
export interface ChatTemplate {
  /** How a whole chat's text begins, with a message that is not the policy's. */
  readonly begins: RegExp;
  /** What a text that begins inside the policy's first message holds: its end and another's message. */
  readonly goesOn: RegExp;
  /** What both hold besides. */
  readonly holds?: string;
  /** The beginning of a message; the policy's own may be among them. */
  readonly opens: RegExp;
  /** Between the beginning and what is said. */
  readonly afterRole: string;
  /** After what another role says; empty: the next marker alone. */
  readonly end: string;
  /** After what the policy says; empty: nothing. */
  readonly stop: string;
  /** Where the policy begins to speak. */
  readonly resumes: RegExp;
}

/** In the order in which they are tried. */
export const chatTemplates: readonly ChatTemplate[] = [
  // ChatML as Phi-4 has it.
  {
    begins: /^\s*<\|im_start\|>(?:system|user)<\|im_sep\|>/,
    goesOn: /<\|im_start\|>[a-z]{1,20}<\|im_sep\|>/,
    opens: /<\|im_start\|>/g,
    afterRole: '<|im_sep|>',
    end: '<|im_end|>',
    stop: '<|im_end|>',
    resumes: /<\|im_start\|>assistant<\|im_sep\|>/g,
  },
  // ChatML (Qwen).
  {
    begins: /^\s*<\|im_start\|>(?:system|user)\n/,
    goesOn: /<\|im_start\|>/,
    opens: /<\|im_start\|>/g,
    afterRole: '\n',
    end: '<|im_end|>',
    stop: '<|im_end|>',
    resumes: /<\|im_start\|>assistant\n/g,
  },
  // Harmony (gpt-oss), where the policy says several messages in a row.
  {
    begins: /^\s*<\|start\|>(?:system|developer|user)<\|message\|>/,
    goesOn: /<\|(?:end|call|return)\|>\s{0,10}<\|start\|>(?!assistant)/,
    opens: /<\|start\|>(?!assistant)/g,
    afterRole: '<|message|>',
    end: '<|end|>',
    stop: '<|return|>',
    resumes: /<\|start\|>assistant/g,
  },
  // Llama 3.
  {
    begins: /^\s*(?:<\|begin_of_text\|>)?<\|start_header_id\|>(?:system|user)<\|end_header_id\|>/,
    goesOn: /<\|start_header_id\|>/,
    opens: /<\|start_header_id\|>/g,
    afterRole: '<|end_header_id|>\n\n',
    end: '<|eot_id|>',
    stop: '<|eot_id|>',
    resumes: /<\|start_header_id\|>assistant<\|end_header_id\|>\n\n/g,
  },
  // Gemma.
  {
    begins: /^\s*(?:<bos>)?<start_of_turn>user\n/,
    goesOn: /<end_of_turn>\s*<start_of_turn>/,
    opens: /<start_of_turn>/g,
    afterRole: '\n',
    end: '<end_of_turn>',
    stop: '<end_of_turn>',
    resumes: /<start_of_turn>model\n/g,
  },
  // Kimi.
  {
    begins: /^\s*<\|im_(?:system|user)\|>[^<\n]{1,80}<\|im_middle\|>/,
    goesOn: /<\|im_end\|>\s*<\|im_(?:user|system)\|>/,
    opens: /<\|im_(?:user|system|assistant)\|>/g,
    afterRole: '<|im_middle|>',
    end: '<|im_end|>',
    stop: '<|im_end|>',
    resumes: /<\|im_assistant\|>[^<\n]{1,80}<\|im_middle\|>/g,
  },
  // DeepSeek; behind what tools gave back the policy speaks without a marker.
  {
    begins: /^\s*<｜(?:begin▁of▁sentence|User)｜>/,
    goesOn: /(?:<｜end▁of▁sentence｜>\s*<｜User|<｜(?:end▁of▁sentence|tool▁calls▁end)｜>\s*<｜tool▁outputs?▁begin)｜>/,
    opens: /<｜(?:User|Assistant|tool▁outputs?▁begin)｜>/g,
    afterRole: '',
    end: '',
    stop: '<｜end▁of▁sentence｜>',
    resumes: /<｜Assistant｜>(?:<\/think>)?|<｜tool▁outputs▁end｜>(?!<｜Assistant｜>)|<｜tool▁output▁end｜>(?!\s{0,10}<｜(?:tool▁output|User|Assistant))/g,
  },
  // Phi-3, whose messages end in a token.
  {
    begins: /^\s*<\|(?:system|user)\|>\n/,
    goesOn: /<\|end\|>\s*<\|user\|>/,
    holds: '<|end|>',
    opens: /<\|(?:system|user|assistant)\|>/g,
    afterRole: '\n',
    end: '<|end|>',
    stop: '<|end|>',
    resumes: /<\|assistant\|>\n/g,
  },
  // GLM, whose messages end where the next begins.
  {
    begins: /^\s*(?:\[gMASK\]\s*<sop>\s*)?<\|(?:system|user)\|>/,
    goesOn: /<\|(?:user|observation)\|>/,
    holds: '<|assistant|>',
    opens: /<\|(?:system|user|observation|assistant)\|>/g,
    afterRole: '\n',
    end: '',
    stop: '',
    resumes: /<\|assistant\|>\n?/g,
  },
  // Mistral and Llama 2.
  {
    begins: /^\s*(?:<s>\s*)?\[(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS)\]/,
    goesOn: /<\/s>\s*(?:(?:<s>\s*)?\[INST\]|\[TOOL_RESULTS\])/,
    opens: /(?:<s>\s*)?\[(?:INST|TOOL_RESULTS)\]/g,
    afterRole: '',
    end: '',
    stop: '</s>',
    resumes: /\[\/(?:INST|TOOL_RESULTS)\] ?/g,
  },
];

/**
 * The template that a text is in which begins inside the policy's first message; `undefined`: it has the markers of none. A chat's markers stand around
 * what came back: those inside of its tags are a document's.
 */
export function templateWithin(text: string): ChatTemplate | undefined {
  const goesOn = (said: string) => (template: ChatTemplate) => template.goesOn.test(said) && holds(said, template);
  return chatTemplates.some(goesOn(text)) ? chatTemplates.find(goesOn(outsideOfTags(text))) : undefined;
}

const observationTags = /<(\/?)(?:information|result|tool_response)>|<\|(?:begin|(end))_(?:of_documents|search_result|click_result)\|>/g;

/** The text without what stands between an opening tag and the closing one that is the next tag after it. */
function outsideOfTags(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let opened: number | undefined;
  for (const tag of text.matchAll(observationTags)) {
    const closes = tag[1] === '/' || tag[2] !== undefined;
    if (closes && opened !== undefined) {
      kept.push(text.slice(from, opened));
      from = tag.index;
    }
    opened = closes ? undefined : tag.index + tag[0].length;
  }
  return [...kept, text.slice(from)].join('');
}

/** The template of a text that begins with a chat's first message. */
export const templateOfChat = (text: string): ChatTemplate | undefined => chatTemplates.find((template) => template.begins.test(text) && holds(text, template));

const holds = (text: string, template: ChatTemplate): boolean => template.holds === undefined || text.includes(template.holds);

/** Where one of a template's marks stands at or after an offset. */
export function findMark(text: string, mark: RegExp, from: number): { readonly start: number; readonly end: number } | undefined {
  mark.lastIndex = from;
  const found = mark.exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}
