# Runs the files of a program, each statement of their top levels by itself, then what their comments `#run …` say, and prints
# which method every call reached: path, line, names, type, place of the method.
root = File.realpath(ARGV.shift)
files = ARGV
SOURCES = files.to_h { |file| [file, File.read(File.join(root, file))] }
$LOAD_PATH.unshift(root, File.join(root, 'lib'))
$stdout.sync = true

# What programs expect of libraries that are not here.
module T
  module Sig
    def sig; end
  end
end
module Minitest
  class Test
    def self.test(name, &block) = define_method("test #{name}", &block)
  end
end
class Module
  def delegate(*names, to:) = names.each { |name| define_method(name) { |*args| send(to).send(name, *args) } }
end
def describe(_name, &block) = Class.new(Described, &block)
class Described
  def self.it(name, &block)
    define_method("test #{name}", &block)
    new.send("test #{name}")
  end
end

inside = ->(path) { path&.start_with?(root + '/') ? path[(root.size + 1)..] : nil }
trace = TracePoint.new(:call, :c_call) do |point|
  # An alias has a place of its own that no method knows.
  next if point.callee_id != point.method_id
  from = point.event == :call ? caller_locations(2, 1)&.first : caller_locations(1, 1)&.first
  path = from && inside.call(from.absolute_path || from.path)
  next unless path
  place = point.defined_class.instance_method(point.method_id).source_location rescue nil
  to = place && inside.call(place[0])
  next unless to
  names = point.method_id == :initialize ? 'initialize new super' : point.method_id.to_s.delete_suffix('=')
  puts [path, from.lineno, names, '', "#{to}:#{place[1]}"].join("\t")
end

def statements(text)
  node = RubyVM::AbstractSyntaxTree.parse(text).children.last
  node.type == :BLOCK ? node.children.compact : [node].compact
end

run = lambda do |file, text, line|
  TOPLEVEL_BINDING.eval(text, File.join(root, file), line)
rescue Exception => error
  warn "#{file}:#{line}: #{error.message.lines.first}"
end

trace.enable
SOURCES.each do |file, text|
  lines = text.lines
  statements(text).each { |node| run.call(file, lines[(node.first_lineno - 1)..(node.last_lineno - 1)].join, node.first_lineno) }
end
SOURCES.each do |file, text|
  text.lines.each.with_index(1) { |line, number| run.call(file, $1, number) if line =~ /\A#run (.*)/ }
end
