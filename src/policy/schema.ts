import { z } from 'zod';

// Compiled checks need code from strings, which an extension host may refuse; asking whether it does leaves a warning there.
z.config({ jitless: true });

export { z };
