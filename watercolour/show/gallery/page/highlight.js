// JavaScript in colours: a tokenizer of a few lines that is never wrong about where text ends and never slow.
const KEYWORDS = new Set(('async await break case catch class const continue default delete do else export extends false ' +
  'finally for function if import in instanceof let new null of return static super switch this throw true try typeof ' +
  'undefined var void while yield').split(' '));
const TOKEN = /(\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?)|("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\[^])*`?)|(\b(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?)\b|\.\d+)|([A-Za-z_$][\w$]*)|\n/g;
const MAX_HIGHLIGHTED = 60000;

// The source as lines of a list, each a row of text nodes and spans. `marked` are numbers of lines to point out.
function highlight(source, marked = new Set()) {
  const pre = make('pre', { class: 'source', tabindex: '0', 'aria-label': 'Source' });
  const shown = source.slice(0, MAX_HIGHLIGHTED);
  let line = 1, row = null, last = 0;
  const begin = () => {
    row = make('span', { class: marked.has(line) ? 'line marked' : 'line' });
    pre.append(row);
  };
  const put = (text, kind) => {
    text.split('\n').forEach((part, number) => {
      if (number > 0) {
        row.append('\n');
        line += 1;
        begin();
      }
      if (part) row.append(kind ? make('span', { class: kind }, part) : part);
    });
  };
  begin();
  for (const match of shown.matchAll(TOKEN)) {
    put(shown.slice(last, match.index));
    last = match.index + match[0].length;
    const [text, comment, string, digits, name] = match;
    const before = shown.slice(Math.max(0, match.index - 6), match.index);
    put(text, comment ? 'c' : string ? 's' : digits ? 'n' : !name ? '' : KEYWORDS.has(name) ? 'k'
      : name === 'brush' || before.endsWith('brush.') ? 'b' : '');
  }
  put(shown.slice(last));
  if (source.length > shown.length) pre.append(make('span', { class: 'line' }, `… ${source.length - shown.length} more characters`));
  return pre;
}
