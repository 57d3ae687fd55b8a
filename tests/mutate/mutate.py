#!/usr/bin/env python3
# mutate.py - do the tests notice a wrong operator, constant or statement?
#
#   mutate.py --seed N --count M [--in PREFIX]... [--near] [--jobs J] [--list]
#
# Goal: every part of the code has a test that fails when the part is wrong. Method:
# change one place at a time in a copy of the tree (build/mutate/tree), build the
# programs again, and run tests until the first one fails: those named for the module,
# those that include its header, those of its folder, then all (not with --near). A
# mutant that no test notices has survived. A mutant whose object file has the same code
# as before is equal: no test can notice it. The seed chooses the places, so the same
# sources, seed and count give the same mutants.
#
# A failed test counts only when it passes in the tree without the mutant. A mutant may
# loop for ever or fill the memory, so tests have limits of time and memory.
#
# build/mutate/SEED.tsv has one line for each mutant, written when its result is known.
# A stopped run continues after these lines. Exit code 1: some mutants survived.
import argparse
import concurrent.futures
import filecmp
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
WORK = os.path.join(ROOT, 'build', 'mutate')
TREE = os.path.join(WORK, 'tree')
TEST_SECONDS = 900  # elapsed time: a test may wait for ever
TEST_CPU_SECONDS = 60
TEST_DATA_BYTES = 6 << 30
NEAR = 4  # number of groups of tests that belong to a module

# Matches comments, strings, character constants and preprocessor lines. They are
# replaced by blanks of the same length, so that positions stay valid in the source.
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
        # Skip a line that continues the one before: it is not a statement.
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
    listed = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split('\0')
    wanted = {name for name in listed if name and os.path.isfile(os.path.join(ROOT, name))}
    for folder, folders, names in os.walk(TREE):
        if folder == TREE and 'build' in folders:
            folders.remove('build')
        for name in names:
            if os.path.relpath(os.path.join(folder, name), TREE) not in wanted:
                os.remove(os.path.join(folder, name))
    for name in sorted(wanted):
        source, target = os.path.join(ROOT, name), os.path.join(TREE, name)
        if os.path.exists(target) and filecmp.cmp(source, target, shallow=False):
            continue
        # Set the current time: a file that replaces a mutant of an earlier run must be
        # newer than the mutant's objects.
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)
    # Tests look for archives in ../shared.
    shared = os.path.join(WORK, 'shared')
    beside = os.path.join(ROOT, '..', 'shared')
    if os.path.isdir(beside) and not os.path.exists(shared):
        os.symlink(os.path.abspath(beside), shared)


def make(*targets):
    env = {k: v for k, v in os.environ.items() if k not in ('MAKEFLAGS', 'MAKELEVEL', 'MFLAGS')}
    return subprocess.run(['make', '-s', '-j%d' % jobs, 'BUILD=build/m', *targets], cwd=TREE, env=env,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def tests_in_order(path):
    """(distance, tests), those nearest to the mutated file first."""
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
        return 3 if '"%s/' % folder in text else NEAR
    names = [n for n in sorted(os.listdir(unit)) if n.startswith('test_') and n.endswith('.c') and '_win32' not in n]
    near = {}
    for name in names:
        near.setdefault(distance(name), []).append('build/m/tests/' + name[:-2])
    cli = sorted('tests/cli/' + n for n in os.listdir(os.path.join(TREE, 'tests', 'cli'))
                 if n.startswith('test_') and n not in ('test_laws.sh', 'test_same_bytes.sh', 'test_readme.sh'))
    near.setdefault(NEAR + 1, []).extend(cli)
    return [(d, near[d]) for d in sorted(near)]


def limit_test():
    resource.setrlimit(resource.RLIMIT_CPU, (TEST_CPU_SECONDS, TEST_CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (TEST_DATA_BYTES, TEST_DATA_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def passes(test):
    env = dict(os.environ, SPINDLE=os.path.join(TREE, 'build/m/spindle'), BUILD='build/m', EXEC='', CC='cc',
               SANITIZE='', TEST_THREADS='')
    command = ['bash', test] if test.endswith('.sh') else [os.path.join(TREE, test)]
    process = subprocess.Popen(command, cwd=TREE, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=limit_test)
    try:
        return process.wait(TEST_SECONDS) in (0, 77)
    except subprocess.TimeoutExpired:
        return False
    finally:
        # Processes that a script started end with the script.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def run_test(test):
    if has_failed.is_set():
        return None
    if passes(test):
        proven.add(test)
        return None
    has_failed.set()
    return test


def programs_of(group):
    return [t for t in group if not t.endswith('.sh')] or ['all']


def first_failure(path):
    """The test that noticed, or None."""
    for group in groups(path):
        built = make(*programs_of(group))
        if built.returncode != 0:
            sys.exit('tests do not build: ' + built.stderr)
        has_failed.clear()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for failed in pool.map(run_test, group):
                if failed:
                    return failed
    return None


def groups(path):
    ordered = tests_in_order(path)
    return [g for distance, g in ordered if distance < NEAR or not is_near]


def code_of(path):
    """The object file without lines and names of types; None: not built."""
    built = make('build/m/%s.o' % path[:-2])
    stripped = os.path.join(WORK, 'stripped.o')
    if built.returncode != 0:
        return None
    subprocess.run(['objcopy', '-g', os.path.join(TREE, 'build/m/%s.o' % path[:-2]), stripped], check=True)
    with open(stripped, 'rb') as file:
        return file.read()


def write(path, text):
    with open(os.path.join(TREE, path), 'w', encoding='utf-8') as file:
        file.write(text)


def decide(mutant):
    path, line, first, limit, text, kind = mutant
    with open(os.path.join(TREE, path), encoding='utf-8') as file:
        source = file.read()
    code = code_of(path)
    try:
        write(path, source[:first] + text + source[limit:])
        mutated = code_of(path)
        if mutated is None:
            return 'compiler'
        if mutated == code:
            return 'equal'
        test = first_failure(path)
    finally:
        write(path, source)
    if test and test not in proven:
        if make(*programs_of([test])).returncode != 0 or not passes(test):
            sys.exit('%s fails without a mutant, too' % test)
        proven.add(test)
    return os.path.basename(test) if test else 'SURVIVED'


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
    parser.add_argument('--near', action='store_true', help="run a module's own tests only")
    arguments = parser.parse_args()
    global jobs, is_near
    jobs = arguments.jobs
    is_near = arguments.near
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
    results = os.path.join(WORK, '%d%s%s.tsv' % (arguments.seed, ''.join(arguments.prefixes).replace('/', '-'),
                                                 '-near' if is_near else ''))
    decided = {}
    if os.path.exists(results):
        with open(results, encoding='utf-8') as file:
            for row in file:
                place, kind, change, outcome, seconds = row.rstrip('\n').split('\t')
                decided[place, kind, change] = outcome
    # Make the names now, because the sources may change during the run.
    names = [name_of(mutant) for mutant in chosen]
    for number, (mutant, name) in enumerate(zip(chosen, names)):
        if name not in decided:
            began = time.monotonic()
            decided[name] = decide(mutant)
            with open(results, 'a', encoding='utf-8') as file:
                file.write('\t'.join(name + (decided[name], '%d' % (time.monotonic() - began))) + '\n')
        print('%d\t%s\t%s' % (number + 1, '\t'.join(name), decided[name]), flush=True)
    outcomes = [decided[name] for name in names]
    survived = outcomes.count('SURVIVED')
    refused = outcomes.count('compiler')
    equal = outcomes.count('equal')
    print('%d noticed by tests, %d by the compiler, %d equal, %d survived: %s' %
          (len(outcomes) - survived - refused - equal, refused, equal, survived, os.path.relpath(results, ROOT)))
    return 1 if survived else 0


jobs = 1
is_near = False
proven = set()  # tests that were seen to pass
has_failed = threading.Event()
if __name__ == '__main__':
    sys.exit(main())
