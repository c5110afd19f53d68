// Runs Python as a page does, under Node: node pyodide.mjs PYODIDE ROOT PACKAGES CODE
import { pathToFileURL } from "node:url";

const [pyodide, root, packages, code] = process.argv.slice(2);
// A folder may have a # or % in its name, which mean something else in an address.
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: pyodide, env: { HOME: "/" } }); // it would guess its folder, without brackets
for (const [place, folder] of [["/project", root], ["/packages", packages]]) {
  python.FS.mkdirTree(place);
  python.mountNodeFS(place, folder);
}
python.runPython("import sys; sys.dont_write_bytecode = True; sys.path[:0] = ['/project', '/packages']");
try {
  python.runPython(code);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
