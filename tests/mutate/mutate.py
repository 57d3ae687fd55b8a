#!/usr/bin/env python3
# mutate.py - do the tests notice a wrong operator, constant or statement?
#
#   mutate.py --seed N --count M [--in PREFIX]... [--jobs J] [--list]
#
# Goal: every part of the code has a test that fails when it is wrong.
# Method: in a copy of the tree (build/mutate/tree) one place is changed at a time.
# The programs are built again, and tests run until the first one fails: those named
# for the module, those that include its header, those of its folder, then all. A
# mutant that no test notices has survived. The seed chooses the places, so that
# the same sources, seed and count give the same mutants.
#
# Results stand in build/mutate/SEED.tsv, one line a mutant, written when it is
# decided: a run that was stopped goes on after them. Exit code 1: some survived.
import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import threading
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
WORK = os.path.join(ROOT, 'build', 'mutate')
TREE = os.path.join(WORK, 'tree')
TEST_SECONDS = 300
COPIED = ['Makefile', 'README.md', 'LICENSE', 'runtime', 'platform', 'offline', 'tests']

# Code without comments, strings, character constants and preprocessor lines, of
# the same length: places in it are places in the source.
IGNORED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*',
                     re.S | re.M)

SWAPS = [
    # name, pattern of one token, replacement by token
    ('relation', re.compile(r'(?<![<>=!&|+\-*/%^-])(<=|>=|==|!=|<(?![<=])|>(?![>=]))(?![=<>])'),
     {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '=='}),
    ('logic', re.compile(r'(&&|\|\|)'), {'&&': '||', '||': '&&'}),
    ('arithmetic', re.compile(r'(?<=[\w)\]] )(\+|-|\*|/)(?= [\w(*&])'),
     {'+': '-', '-': '+', '*': '+', '/': '*'}),
    ('shift', re.compile(r'(<<|>>)(?!=)'), {'<<': '>>', '>>': '<<'}),
    ('step', re.compile(r'(?<![+\-])(\+\+|--|\+=|-=)'), {'++': '--', '--': '++', '+=': '-=', '-=': '+='}),
    ('truth', re.compile(r'\b(true|false)\b'), {'true': 'false', 'false': 'true'}),
    ('leave', re.compile(r'\b(break|continue)(?=;)'), {'break': 'continue', 'continue': 'break'}),
]
CONSTANT = re.compile(r'(?<![\w.])(\d+)(?=u?l{0,2}\b)(?![.\w]*[.xX])')
CONDITION = re.compile(r'\b(?:if|while) \(')
STATEMENT = re.compile(r'^[ ]{4,}(?!return|goto|break|continue|case|default|else|do\b|static|const|struct|enum|union|SPN_|'
                       r'(?:unsigned |signed )?(?:int|char|bool|float|double|void|size_t|u?int\d+_t|spn_\w+)\b[ *])'
                       r'[\w>.\[\]()*&-][^;{}\n]*;$', re.M)
NOT_MUTATED = re.compile(r'SPN_(ASSERT|STATIC_ASSERT|NEVER|ALWAYS)|_Static_assert')


def blank(match):
    return re.sub(r'[^\n]', ' ', match.group(0))


def closing(code, at):
    """The place of the parenthesis that closes the one at `at`, or -1."""
    depth = 0
    for i in range(at, min(len(code), at + 2000)):
        depth += (code[i] == '(') - (code[i] == ')')
        if depth == 0:
            return i
    return -1


def mutants_of(path):
    """(first, limit, text, kind) for each change of one place of a file."""
    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
        source = file.read()
    code = IGNORED.sub(blank, source)
    body = code.find('{')
    found = []
    for kind, pattern, replacement in SWAPS:
        for match in pattern.finditer(code):
            found.append((match.start(1), match.end(1), replacement[match.group(1)], kind))
    for match in CONSTANT.finditer(code):
        found.append((match.start(1), match.end(1), str(int(match.group(1)) + 1), 'constant'))
    for match in CONDITION.finditer(code):
        first = match.end() - 1
        last = closing(code, first)
        if last > 0:
            found.append((first, last + 1, '(!' + source[first:last + 1] + ')', 'negation'))
    for match in STATEMENT.finditer(code):
        # A line that goes on from the one before is no statement.
        if match.group(0).count('(') != match.group(0).count(')') or code[:match.start()].rstrip()[-1:] not in '{};:':
            continue
        first = match.start() + len(match.group(0)) - len(match.group(0).lstrip())
        found.append((first, match.end(), ';', 'dropped'))
    lines = source.split('\n')
    for first, limit, text, kind in sorted(found):
        line = source.count('\n', 0, first)
        if first > body and not NOT_MUTATED.search(lines[line]):
            yield path, line + 1, first, limit, text, kind


def sources(prefixes):
    listed = subprocess.run(['git', 'ls-files', 'runtime', 'offline', 'platform/posix', 'platform/consoles_stub'],
                            cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    return [f for f in listed if f.endswith('.c') and not f.endswith(('_win32.c', '_neon.c')) and
            (not prefixes or f.startswith(tuple(prefixes)))]


def copy_tree():
    os.makedirs(TREE, exist_ok=True)
    subprocess.run(['rsync', '-a', '--checksum', '--delete', '--exclude=/build'] +
                   [os.path.join(ROOT, name) for name in COPIED] + [TREE], check=True)
    # Tests look for archives beside the project.
    shared = os.path.join(WORK, 'shared')
    beside = os.path.join(ROOT, '..', 'shared')
    if os.path.isdir(beside) and not os.path.exists(shared):
        os.symlink(os.path.abspath(beside), shared)


def make(*targets):
    env = {k: v for k, v in os.environ.items() if k not in ('MAKEFLAGS', 'MAKELEVEL', 'MFLAGS')}
    return subprocess.run(['make', '-s', '-j%d' % jobs, 'BUILD=build/m', *targets], cwd=TREE, env=env,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def tests_in_order(path):
    """All tests, those nearest to the mutated file first."""
    stem = os.path.basename(path)[:-2]
    folder = os.path.basename(os.path.dirname(path))
    header = path.replace('runtime/', '', 1).replace('offline/', '', 1)[:-2] + '.h'
    unit = os.path.join(TREE, 'tests', 'unit')

    def distance(name):
        if name == 'test_%s.c' % stem:
            return 0
        with open(os.path.join(unit, name), encoding='utf-8') as file:
            text = file.read()
        if '"%s"' % header in text:
            return 1
        words = stem.split('_')
        if name.startswith('test_%s' % words[0]) or name.startswith('test_%s' % folder):
            return 2
        return 3 if '"%s/' % folder in text else 4
    names = [n for n in sorted(os.listdir(unit)) if n.startswith('test_') and n.endswith('.c') and '_win32' not in n]
    near = {}
    for name in names:
        near.setdefault(distance(name), []).append('build/m/tests/' + name[:-2])
    cli = sorted('tests/cli/' + n for n in os.listdir(os.path.join(TREE, 'tests', 'cli'))
                 if n.startswith('test_') and n not in ('test_laws.sh', 'test_same_bytes.sh', 'test_readme.sh'))
    near.setdefault(5, []).extend(cli)
    return [near[d] for d in sorted(near)]


def run_test(test):
    if has_failed.is_set():
        return None
    env = dict(os.environ, SPINDLE=os.path.join(TREE, 'build/m/spindle'), BUILD='build/m', EXEC='', CC='cc',
               SANITIZE='', TEST_THREADS='')
    command = ['bash', test] if test.endswith('.sh') else [os.path.join(TREE, test)]
    try:
        done = subprocess.run(command, cwd=TREE, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=TEST_SECONDS)
    except subprocess.TimeoutExpired:
        has_failed.set()
        return os.path.basename(test) + ' (time)'
    if done.returncode in (0, 77):
        return None
    has_failed.set()
    return os.path.basename(test)


def first_failure(path):
    """The test that noticed, 'compiler', or None."""
    for group in tests_in_order(path):
        programs = [t for t in group if not t.endswith('.sh')] or ['all']
        if make(*programs).returncode != 0:
            return 'compiler'
        has_failed.clear()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for failed in pool.map(run_test, group):
                if failed:
                    return failed
    return None


def decide(mutant):
    path, line, first, limit, text, kind = mutant
    target = os.path.join(TREE, path)
    with open(target, encoding='utf-8') as file:
        source = file.read()
    try:
        with open(target, 'w', encoding='utf-8') as file:
            file.write(source[:first] + text + source[limit:])
        return first_failure(path)
    finally:
        with open(target, 'w', encoding='utf-8') as file:
            file.write(source)


def name_of(mutant):
    path, line, first, limit, text, kind = mutant
    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
        source = file.read()
    before = source[first:limit]
    column = first - (source.rfind('\n', 0, first) + 1) + 1
    return '%s:%d:%d' % (path, line, column), kind, '%s -> %s' % (' '.join(before.split())[:60], ' '.join(text.split())[:60])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, required=True)
    parser.add_argument('--count', type=int, required=True)
    parser.add_argument('--in', dest='prefixes', action='append', default=[])
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--list', action='store_true', help='name the mutants, run nothing')
    arguments = parser.parse_args()
    global jobs
    jobs = arguments.jobs
    places = [m for path in sources(arguments.prefixes) for m in mutants_of(path)]
    chosen = random.Random(arguments.seed).sample(places, min(arguments.count, len(places)))
    print('seed %d: %d of %d mutants' % (arguments.seed, len(chosen), len(places)))
    if arguments.list:
        for mutant in chosen:
            print('\t'.join(name_of(mutant)))
        return 0

    copy_tree()
    if make('all').returncode != 0:
        print('the tree itself does not build')
        return 2
    results = os.path.join(WORK, '%d%s.tsv' % (arguments.seed, ''.join(arguments.prefixes).replace('/', '-')))
    decided = {}
    if os.path.exists(results):
        with open(results, encoding='utf-8') as file:
            for row in file:
                place, kind, change, outcome, seconds = row.rstrip('\n').split('\t')
                decided[place, kind, change] = outcome
    for number, mutant in enumerate(chosen):
        name = name_of(mutant)
        if name not in decided:
            began = time.monotonic()
            decided[name] = decide(mutant) or 'SURVIVED'
            with open(results, 'a', encoding='utf-8') as file:
                file.write('\t'.join(name + (decided[name], '%d' % (time.monotonic() - began))) + '\n')
        print('%d\t%s\t%s' % (number + 1, '\t'.join(name), decided[name]), flush=True)
    outcomes = [decided[name_of(m)] for m in chosen]
    survived = outcomes.count('SURVIVED')
    refused = outcomes.count('compiler')
    print('%d noticed by tests, %d by the compiler, %d survived: %s' %
          (len(outcomes) - survived - refused, refused, survived, os.path.relpath(results, ROOT)))
    return 1 if survived else 0


jobs = 1
has_failed = threading.Event()
if __name__ == '__main__':
    sys.exit(main())
