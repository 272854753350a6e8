import assert from 'node:assert/strict';
import { openDetector } from '../../src/pipeline/openDetector.js';
import { ParameterError, parametersFromFlat } from '../../src/pipeline/parameterSet.js';
import { describedModel } from '../detect/modelFolder.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

describe('openDetector', () => {
  const folder = temporaryFolder();
  const open = (flat: Record<string, unknown>): ReturnType<typeof openDetector> =>
    openDetector(parametersFromFlat(flat).parameters);

  it('gives none where none is described', async () => {
    assert.equal(await open({}), undefined);
  });

  it('gives none where another node or nobody names things, and refuses a model beside the former', async () => {
    assert.equal(await open({ 'detector.source': 'topic' }), undefined);
    assert.equal(await open({ 'detector.source': 'none', 'detector.description': 'model.yaml' }), undefined);
    await assert.rejects(
      open({ 'detector.source': 'topic', 'detector.description': 'model.yaml' }),
      ParameterError,
    );
  });

  it('opens what is described, with the providers that were asked for', async function () {
    const description = describedModel(this, folder.path('.'), 'fastestdet_352');
    const detector = await open({ 'detector.description': description, 'detector.providers': ['no_such'] });
    assert.match(detector?.notes.join() ?? '', /no_such.*cpu is used instead/);
    await detector?.close();
  });

  it('refuses as a wrong parameter what cannot be opened, with what was expected and found', () =>
    assert.rejects(open({ 'detector.description': folder.path('none.yaml') }), (error) => {
      assert.ok(error instanceof ParameterError);
      assert.match(error.message, /^detector\.description: expected .*none\.yaml, found no file$/);
      return true;
    }));
});
