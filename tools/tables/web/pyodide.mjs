// Runs Python as a page does, under Node: node pyodide.mjs PYODIDE ROOT PACKAGES CODE
const [pyodide, root, packages, code] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ env: { HOME: "/" } });
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
