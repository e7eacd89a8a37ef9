<?php
// Runs the files of a program, then what their comments `//run …` say, and prints which function every call reached: path, line,
// names, type, place of the function. Functions say so themselves: a call is put at the start of each.
final class Trace
{
    private const DEEPEST = 30;
    public static string $root;

    public static function hit(string $file, int $line, string $name): void
    {
        $frames = debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS, self::DEEPEST);
        if (count($frames) === self::DEEPEST) {
            throw new RuntimeException('a function that calls itself');
        }
        $frame = $frames[1];
        if (!isset($frame['file'])) {
            return;
        }
        $path = substr($frame['file'], strlen(self::$root) + 1);
        $names = $name === '__construct' ? "$name " . self::shortName($frame['class']) : $name;
        echo implode("\t", [$path, $frame['line'], $names, '', "$file:$line"]), "\n";
    }

    private static function shortName(string $class): string
    {
        return substr('\\' . $class, strrpos('\\' . $class, '\\') + 1);
    }
}

/** Puts a call at the start of every function that has a name. */
function instrumented(string $path, string $text): string
{
    $tokens = PhpToken::tokenize($text);
    $next = function (int $i) use ($tokens): int {
        do {
            $i++;
        } while (isset($tokens[$i]) && $tokens[$i]->isIgnorable());
        return $i;
    };
    $starts = [];
    foreach ($tokens as $i => $token) {
        if ($token->id !== T_FUNCTION) {
            continue;
        }
        $name = $next($i);
        $name = $tokens[$name]->text === '&' ? $next($name) : $name;
        if (!preg_match('/^\w+$/', $tokens[$name]->text) || $tokens[$next($name)]->text !== '(') {
            continue;
        }
        for ($at = $name; isset($tokens[$at]) && !in_array($tokens[$at]->text, ['{', ';'], true); $at++);
        if (isset($tokens[$at]) && $tokens[$at]->text === '{') {
            $starts[$at] = sprintf(" \\Trace::hit('%s', %d, '%s');", $path, $tokens[$name]->line, $tokens[$name]->text);
        }
    }
    $out = '';
    foreach ($tokens as $i => $token) {
        $out .= $token->text . ($starts[$i] ?? '');
    }
    return $out;
}

/** The types that a text declares, with their namespaces. */
function declared(string $text): array
{
    $space = preg_match('/^namespace\s+([\w\\\\]+)/m', $text, $found) ? $found[1] . '\\' : '';
    preg_match_all('/^\s*(?:abstract |final |readonly )*(?:class|interface|trait|enum)\s+(\w+)/m', $text, $found);
    return array_map(fn (string $name) => $space . $name, $found[1]);
}

Trace::$root = realpath($argv[1]);
$homes = [];
$files = array_slice($argv, 2);
foreach ($files as $file) {
    $text = file_get_contents(Trace::$root . '/' . $file);
    foreach (declared($text) as $type) {
        $homes[strtolower($type)] = $file;
    }
    file_put_contents(Trace::$root . '/' . $file, instrumented($file, $text));
}
spl_autoload_register(function (string $type) use ($homes): void {
    if (isset($homes[strtolower($type)])) {
        require_once Trace::$root . '/' . $homes[strtolower($type)];
    }
});
set_error_handler(fn () => true);
set_time_limit(20);
foreach ($files as $file) {
    try {
        require_once Trace::$root . '/' . $file;
    } catch (Throwable $error) {
        fwrite(STDERR, "$file: {$error->getMessage()}\n");
    }
}
foreach ($files as $file) {
    preg_match_all('~^//run (.*)~m', file_get_contents(Trace::$root . '/' . $file), $found);
    foreach ($found[1] as $code) {
        try {
            eval($code . ';');
        } catch (Throwable $error) {
            fwrite(STDERR, "$file: $code: {$error->getMessage()}\n");
        }
    }
}
