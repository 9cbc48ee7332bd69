import type { Dialect } from '../dialect';
import { chatTools } from './qwenTools';

/** Calls of MCP tools as MiroFlow's prompts ask for them, in tags of XML with the arguments as JSON; what came back is a user's message. The last message is the answer, often boxed. */
export const mcpTools: Dialect = {
  ...chatTools,
  id: 'mcp-tools',
  tags: { ...chatTools.tags, search: { open: '<use_mcp_tool>', close: '</use_mcp_tool>' } },
};
