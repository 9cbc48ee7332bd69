/** Whether a message of the runtime, of Node or of the system says that memory ran out. */
export function outOfMemory(message: string): boolean {
  return /bad_alloc|failed to allocate|out of memory|array buffer allocation failed|cannot allocate memory/i.test(message);
}
