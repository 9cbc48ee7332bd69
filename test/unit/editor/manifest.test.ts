import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import nls from '../../../package.nls.json' with { type: 'json' };
import { defaultSettings } from '../../../src/credit/settings';
import { colors, commands, contextKeys, rolloutsView, trajectoryNames, transcriptLanguage } from '../../../src/editor/ids';
import { readSettings } from '../../../src/editor/settings';
import { transcriptAddress } from '../../../src/editor/rollout';

const { contributes } = manifest;
const properties: Readonly<Record<string, { readonly default?: unknown }>> = contributes.configuration.properties;

describe('package.json agrees with the code', () => {
  test('commands', () => {
    expect(contributes.commands.map((c) => c.command).sort()).toEqual(Object.values(commands).sort());
    const known: readonly string[] = Object.values(commands);
    const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings].map((m) => m.command);
    expect(used.filter((c) => !known.includes(c))).toEqual([]);
  });

  test('colours, in all four kinds of theme', () => {
    expect(contributes.colors.map((c) => c.id).sort()).toEqual(Object.values(colors).sort());
    for (const { defaults } of contributes.colors) expect(Object.keys(defaults).sort()).toEqual(['dark', 'highContrast', 'highContrastLight', 'light']);
  });

  test('context keys', () => {
    const whens = JSON.stringify([contributes.menus, contributes.keybindings]);
    for (const key of Object.values(contextKeys)) expect(whens).toContain(key);
  });

  test('menus go by the names of the files that the view lists', () => {
    const whens = [...Object.values(contributes.menus).flat(), ...contributes.keybindings].map((m) => ('when' in m ? m.when : ''));
    const byName = whens.filter((when) => /resource(Extname|Filename|Path)/.test(when));
    expect(byName.length).toBeGreaterThan(5);
    expect(byName.filter((when) => !when.includes(`resourceFilename =~ ${String(trajectoryNames)}`) || /resource(Extname|Path)/.test(when))).toEqual([]);
    for (const name of ['a.traj', 'a.ndjson', 'a.jsonl.gz', 'A.EVAL', 'a.trajectory.json', 'a.zip']) expect(name).toMatch(trajectoryNames);
  });

  test('what explains figures is offered where there are some', () => {
    const offers = Object.values(contributes.menus).flat().filter((m) => m.command === commands.explain);
    expect(offers.map(({ when }) => when)).toEqual([contextKeys.figures]);
  });

  test('no menu offers the transcript of a transcript', () => {
    const offers = Object.values(contributes.menus).flat().filter((m) => m.command === commands.openTranscript && m.when.includes('turnlens.trajectory'));
    expect(offers.length).toBeGreaterThan(2);
    for (const { when } of offers) expect(when).toContain('turnlens.trajectory && resourceScheme != turnlens-transcript');
  });

  test('a document that shows a record as it is written, or a part of it, offers what its rollout does', () => {
    const isOffered = (when: string, scheme: string): boolean => [...when.matchAll(/resourceScheme =~ \/(.+?)\//g)].some(([, pattern = '']) => new RegExp(pattern).test(scheme));
    const offers = (command: string): string[] => [contributes.menus.commandPalette, contributes.menus['editor/title'], contributes.menus['editor/context']].flat().flatMap((m) => (m.command === command ? [m.when] : []));
    const onRollouts = [commands.rescoreQuestion, commands.rescoreFile, commands.rescoreIgnoringCache, commands.openTranscript, commands.saveAsTraj, commands.saveAsAtif];
    for (const scheme of ['turnlens-raw', 'turnlens-part']) {
      for (const command of onRollouts) expect(offers(command).every((when) => isOffered(when, scheme)), `${command} on ${scheme}`).toBe(true);
    }
    // A record is shown as it is written where no editor can hold its source: nothing is behind it.
    expect(offers(commands.revealInSource).map((when) => ['turnlens-transcript', 'turnlens-part', 'turnlens-raw'].map((scheme) => isOffered(when, scheme)))).toEqual(Array(3).fill([true, true, false]));
  });

  test('a file whose list is stopped offers what another file does, and to go on', () => {
    const offers = (item: string): string[] => contributes.menus['view/item/context'].flatMap(({ command, when }) => (new RegExp(`viewItem == ${item}$|[(|]${item}[)|]`).test(when) ? [command] : []));
    expect(offers('partial').filter((command) => command !== commands.readMoreRollouts)).toEqual(offers('file'));
    expect(offers('file')).toContain(commands.removeFromRollouts);
    expect([offers('partial').includes(commands.readMoreRollouts), offers('file').includes(commands.readMoreRollouts)]).toEqual([true, false]);
  });

  test('defaults of the settings', () => {
    const fromManifest = readSettings({ get: <T>(key: string) => properties[`turnlens.${key}`]?.default as T });
    expect(fromManifest.credit).toEqual(defaultSettings);
    expect(fromManifest).toMatchObject({ policy: '', contract: {}, showQuietLenses: false, scoreOnOpen: false });
  });

  test('every string is in package.nls.json, and nothing else is', () => {
    const used = [...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map((m) => m[1]);
    expect(used.sort()).toEqual(Object.keys(nls).sort());
  });

  test('the transcript gets its language by its name', () => {
    const language = contributes.languages.find((l) => l.id === transcriptLanguage);
    expect(language?.filenamePatterns).toEqual(['* · record [0-9]*.transcript']);
    const { path } = transcriptAddress({ source: 'file:///w/a.jsonl', record: 12 }, '/w/a.jsonl');
    expect(path).toMatch(/^\/w\/.* · record [0-9].*\.transcript$/);
  });

  test('activation waits for a language, a transcript, the panel or a command', () => {
    expect(manifest.activationEvents.every((e) => /^on(Language|FileSystem|WebviewPanel):/.test(e))).toBe(true);
  });

  test('the walkthrough runs commands that are there, is done by what it asks for, and has its pictures', () => {
    const own = new Set<string>([...Object.values(commands), `${rolloutsView}.focus`]);
    const words: Readonly<Record<string, string>> = nls;
    const [walkthrough, ...more] = contributes.walkthroughs;
    expect(more).toEqual([]);
    for (const { id, description, media, completionEvents } of walkthrough?.steps ?? []) {
      const linked = [...(words[description.slice(1, -1)] ?? '').matchAll(/\(command:([\w.]+)/g)].map((m) => m[1] ?? '');
      expect(linked.length, id).toBeGreaterThan(0);
      expect(linked.filter((command) => !own.has(command)), id).toEqual([]);
      const events = completionEvents.map((event) => event.replace(/^on(Command|View):/, ''));
      expect(events.filter((event) => !own.has(event) && event !== rolloutsView), id).toEqual([]);
      const picture = readFileSync(media.svg, 'utf8');
      expect(picture, id).toContain('var(--vscode-editor-background)');
      // The welcome page lets no style in that it does not know.
      expect(picture, id).not.toMatch(/#[0-9a-f]{3,8}\b|<script|<style|style=|href/i);
    }
    expect(words['view.rollouts.empty']).toContain(encodeURIComponent(`"${manifest.publisher}.${manifest.name}#${walkthrough?.id}"`));
  });

  test('files it names are there', () => {
    for (const file of [manifest.icon, ...contributes.languages.flatMap((l) => ('configuration' in l ? [l.configuration] : []))]) expect(existsSync(file ?? '')).toBe(true);
  });
});

test('no surface reaches for the policy or ONNX', () => {
  for (const file of readdirSync('src/editor', { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts'))) {
    expect(readFileSync(`src/editor/${file}`, 'utf8'), file).not.toMatch(/from '(onnx|@huggingface|.*\/policy\/)/);
  }
});
