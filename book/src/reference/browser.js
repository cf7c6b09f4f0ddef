// Draws what the program `browser.wasm` prints: a picture in the format PPM. A click goes nearer.
(() => {
  const canvas = document.getElementById("picture");
  const said = document.getElementById("said");
  const view = { x: -0.6, y: 0, height: 2.4 };

  // As much of WASI as the program needs: arguments, a clock, and what it writes.
  const run = async (program, words) => {
    const texts = ["browser", ...words.map(String)].map((word) => new TextEncoder().encode(`${word}\0`));
    const written = [];
    let memory;
    const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
    const number = (at, value) => new DataView(memory.buffer).setUint32(at, value, true);
    const given = {
      args_sizes_get: (count, size) => {
        number(count, texts.length);
        number(size, texts.reduce((sum, text) => sum + text.length, 0));
        return 0;
      },
      args_get: (places, at) => {
        for (const text of texts) {
          number(places, at);
          bytes(at, text.length).set(text);
          [places, at] = [places + 4, at + text.length];
        }
        return 0;
      },
      environ_sizes_get: (count, size) => (number(count, 0), number(size, 0), 0),
      clock_time_get: (id, precision, at) => {
        const time = BigInt(Math.round(performance.now() * 1e6));
        new DataView(memory.buffer).setBigUint64(at, time, true);
        return 0;
      },
      random_get: (at, length) => (crypto.getRandomValues(bytes(at, length)), 0),
      fd_write: (file, places, count, size) => {
        let sum = 0;
        for (let i = 0; i < count; i++, places += 8) {
          const piece = new DataView(memory.buffer, places, 8);
          written.push({ file, bytes: bytes(piece.getUint32(0, true), piece.getUint32(4, true)).slice() });
          sum += piece.getUint32(4, true);
        }
        number(size, sum);
        return 0;
      },
      proc_exit: (code) => {
        throw new Error(`the program ended with ${code}`);
      },
    };
    const imports = {};
    for (const { module, name } of WebAssembly.Module.imports(program)) {
      // What else the C library names isn't called: threads can't be made (EAGAIN), the rest isn't there (ENOSYS).
      const refuse = () => (name === "pthread_create" ? 6 : module === "env" ? 0 : 52);
      (imports[module] ??= {})[name] = given[name] ?? refuse;
    }
    const { exports } = await WebAssembly.instantiate(program, imports);
    memory = exports.memory;
    try {
      exports._start();
    } catch (error) {
      const text = written.filter(({ file }) => file === 2).map((piece) => new TextDecoder().decode(piece.bytes));
      throw text.length ? new Error(text.join("")) : error;
    }
    return written.filter(({ file }) => file === 1).flatMap((piece) => [...piece.bytes]);
  };

  const draw = async (program) => {
    const { width, height } = canvas;
    const start = performance.now();
    const picture = await run(program, [height, width, view.x, view.y, view.height]);
    const time = performance.now() - start;
    const colours = picture.slice(picture.length - 3 * width * height);
    const image = new ImageData(width, height);
    for (let i = 0; i < width * height; i++)
      image.data.set([colours[3 * i], colours[3 * i + 1], colours[3 * i + 2], 255], 4 * i);
    canvas.getContext("2d").putImageData(image, 0, 0);
    said.textContent = `${width} x ${height} pixels in ${time.toFixed(0)} ms. A click goes nearer.`;
  };

  const start = async () => {
    const answer = await fetch("browser.wasm");
    if (!answer.ok) throw new Error("there is no browser.wasm beside this page");
    const program = await WebAssembly.compile(await answer.arrayBuffer());
    canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const step = view.height / canvas.clientHeight;
      view.x += (offsetX - canvas.clientWidth / 2) * step;
      view.y -= (offsetY - canvas.clientHeight / 2) * step;
      view.height /= 2;
      draw(program).catch(tell);
    });
    await draw(program);
  };
  const tell = (error) => (said.textContent = `No picture: ${error.message}`);
  start().catch(tell);
})();
