const endOfCentralDirectory = 0x06054b50;

/**
 * The names in a zip archive, from its central directory.
 * @param {Buffer} zip
 * @returns {string[]}
 */
export function namesInZip(zip) {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== endOfCentralDirectory) end--;
  if (end < 0) throw new Error('not a zip archive');
  const names = [];
  let entry = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [zip.readUInt16LE(entry + 28), zip.readUInt16LE(entry + 30), zip.readUInt16LE(entry + 32)];
    names.push(zip.toString('utf8', entry + 46, entry + 46 + name));
    entry += 46 + name + extra + comment;
  }
  return names;
}
