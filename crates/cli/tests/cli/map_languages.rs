//! The map of a realistic file in every language.

use expect_test::{Expect, expect};

use crate::support::Project;

/// The block of the first file; the others are there to be imported and to use it.
fn check(files: &[(&str, &str)], expected: Expect) {
    let project = Project::new(files);
    let map = project.run(&["map", files[0].0]).out;
    let (_, block) = map.split_once("\n\n").expect("a legend and a block");
    expected.assert_eq(block);
}

#[test]
fn python() {
    check(
        &[
            (
                "shop/orders.py",
                r#"from __future__ import annotations
import json
from typing import Generic, Optional, TypeVar, overload
from .base import Base

T = TypeVar("T")
LIMIT = 10
_hidden = {}

class Order(Base, Generic[T]):
    """An order."""
    currency: str = "EUR"

    def __init__(self, buyer, *items, note: str | None = None, **extra):
        self.buyer = buyer
        self._total = 0

    @property
    def total(self) -> int:
        return self.sum()

    @total.setter
    def total(self, value):
        self._total = value

    @overload
    def sum(self) -> int: ...
    @overload
    def sum(self, start: int) -> int: ...
    def sum(self, start=0):
        def add(a, b):
            return a + b
        return add(start, self._total)

    @classmethod
    async def load(cls, path="x") -> Optional[Order]:
        return parse(json.loads(path))

    class Line:
        def price(self): return LIMIT

def parse(data: dict[str, list[int]]) -> Order | None:
    return Order(data)
"#,
            ),
            ("shop/base.py", "class Base:\n    def save(self): pass\n"),
            ("shop/use.py", "from .orders import Order, parse\no: Order = parse({})\no.sum()\n"),
        ],
        expect![[r#"
            @1/orders.py: ←1
            i json,typing
            i→ @1/base.py
            v T:6
            v LIMIT:7
            c Order(Base,Generic[T]):10 ←@1/use.py:2
              v currency
              v buyer
              v _total
              m __init__(buyer,*items,note?,**extra):14
              p total->int:19 →sum
              m sum()->int:27 ←@1/use.py:3
              m sum(start)->int:29
              m sum(start?):30 →add
              am load(path?)->?Order:36 →parse
              c Line:39
                m price():40
            f parse(data)->?Order:42 ←@1/use.py:2
        "#]],
    );
}

#[test]
fn javascript() {
    check(
        &[
            (
                "src/orders.js",
                r#"import { readFile } from 'node:fs';
import * as money from './money.js';
import './setup.js';

export const PAGE = 20;
const cache = new Map();
export class Order extends Array {
  static count = 0;
  #secret = 1;
  constructor(name, { price = 1, tags } = {}, ...rest) {
    super();
    this.name = name;
  }
  get size() { return this.length; }
  set size(value) { this.length = value; }
  async *lines(from = 0) { yield money.round(from); }
  static of(name) { return new Order(name); }
}
export const total = async (orders, tax) => sum(orders) * tax;
function sum(orders) { return orders.reduce((a, b) => a + b, 0); }
export const handlers = { open() {}, close: async () => {}, kind: 1 };
export default function () {}
"#,
            ),
            ("src/money.js", "export function round(x) { return x; }\n"),
            ("src/setup.js", "globalThis.ready = 1;\n"),
            ("src/app.js", "import { Order, total } from './orders.js';\ntotal([new Order('a')], 1);\n"),
        ],
        expect![[r#"
            src/orders.js: ←1
            i node:fs
            i→ src/money.js,src/setup.js
            v PAGE:5
            c Order(Array):7 ←src/app.js:2
              v count
              v #secret
              v name
              v length
              m constructor(name,{price,tags}?,*rest):10
              p size:14
              am lines(from?):16 →round
              m of(name):17
            af total(orders,tax):19 →sum ←src/app.js:2
            f sum(orders):20
            v handlers:21
              m open():21
              am close():21
            f default():22
        "#]],
    );
}

#[test]
fn typescript() {
    check(
        &[
            (
                "src/store.ts",
                r#"import type { Clock } from "./clock";
import { inject } from "framework";

export type Id = string | number;
export interface Entity<K = Id> extends Named { id: K; rename?(name: string): void; }
interface Named { name: string }
export enum State { Open, Closed = 5 }
export abstract class Store<T extends Entity> implements Iterable<T> {
  private items: Map<Id, T> = new Map();
  protected abstract readonly clock: Clock;
  constructor(public readonly name: string, private limit?: number) {}
  get size(): number { return this.items.size; }
  find(id: Id): T | undefined;
  find(id: Id, fallback: T): T;
  find(id: Id, fallback?: T): T | undefined { return this.items.get(id) ?? fallback; }
  async load(...ids: Id[]): Promise<T[]> { return ids.map((id) => this.find(id)!); }
  abstract save(item: T): void;
  *[Symbol.iterator]() { yield* this.items.values(); }
}
export const make = <T>(name: string): T | null => null;
export namespace Deep { export function inner(): void {} }
declare function outer(a: number): string;
"#,
            ),
            ("src/clock.ts", "export interface Clock { now(): number }\n"),
            (
                "src/main.ts",
                "import { Store, make } from './store';\nexport class Mem extends Store<any> {}\nmake('x');\n",
            ),
        ],
        expect![[r#"
            src/store.ts: ←1
            i framework
            i→ src/clock.ts
            v Id:4
            c Entity(Named):5 ←src/store.ts:8
              v id
              m rename(name)->void:5
            c Named:6 ←src/store.ts:5
              v name
            c State:7
              v Open
              v Closed
            c Store(Iterable<T>):8 ←src/main.ts:2
              v items
              v clock
              v name
              v limit
              m constructor(name,limit?):11
              p size->number:12
              m find(id)->?T:13
              m find(id,fallback)->T:14
              m find(id,fallback?)->?T:15
              am load(*ids)->Promise<T[]>:16 →find
              m save(item)->void:17
            f make(name)->?T:20 ←src/main.ts:3
            c Deep:21
              f inner()->void:21
            f outer(a)->string:22
        "#]],
    );
}

#[test]
fn tsx() {
    check(
        &[
            (
                "ui/List.tsx",
                r#"import React, { useState } from "react";
import { Row } from "./Row";

interface Props<T> { items: T[]; onPick?: (item: T) => void }
export function List<T>({ items, onPick }: Props<T>): JSX.Element {
  const [open, setOpen] = useState(false);
  const toggle = () => setOpen(!open);
  return <ul onClick={toggle}>{items.map((item) => <Row item={item} />)}</ul>;
}
export const Empty: React.FC = () => <p>nothing</p>;
"#,
            ),
            ("ui/Row.tsx", "export const Row = ({ item }: any) => <li>{item}</li>;\n"),
            ("ui/App.tsx", "import { List } from './List';\nexport const App = () => <List items={[1]} />;\n"),
        ],
        expect![[r#"
            ui/List.tsx: ←1
            i react
            i→ ui/Row.tsx
            c Props:4 ←ui/List.tsx:5
              v items
              v onPick
            f List({items,onPick})->JSX.Element:5 →Row ←ui/App.tsx:2
            f Empty()->React.FC:10
        "#]],
    );
}

#[test]
fn rust() {
    check(
        &[
            (
                "src/shapes.rs",
                r#"//! Shapes.
use std::collections::HashMap;
use crate::units::{Length, scale};

pub const LIMIT: usize = 10;
static COUNT: u32 = 0;
pub type Scene = Vec<Box<dyn Shape>>;

#[derive(Debug)]
pub struct Circle<'a, T> {
    pub radius: T,
    name: &'a str,
}
pub enum Kind { Round { r: f32 }, Square(f32), Unit }
pub trait Shape: Send {
    const SIDES: u32;
    fn area(&self) -> f64;
    fn twice(&self, factor: u32) -> f64 { self.area() * factor as f64 }
}
impl<'a, T> Circle<'a, T> {
    pub fn new(radius: T, (x, y): (u32, u32)) -> Option<Self> { None }
    pub async fn load(&mut self, path: &str) -> Result<(), std::io::Error> { helper(); Ok(()) }
}
impl<'a> Shape for Circle<'a, Length> {
    const SIDES: u32 = 0;
    fn area(&self) -> f64 { scale(1.0) }
}
impl Shape for HashMap<u8, u8> {
    const SIDES: u32 = 1;
    fn area(&self) -> f64 { 0.0 }
}
macro_rules! shape { ($x:expr) => { $x }; }
fn helper() { fn nested() {} nested() }
#[cfg(test)]
mod tests {
    #[test]
    fn one() {}
    #[test]
    fn two() {}
}
"#,
            ),
            ("src/units.rs", "pub struct Length;\npub fn scale(x: f64) -> f64 { x }\n"),
            (
                "src/lib.rs",
                "mod shapes;\nmod units;\npub use shapes::{Circle, Shape};\npub fn run(s: &dyn Shape) { s.area(); }\n",
            ),
            ("Cargo.toml", "[package]\nname = \"demo\"\n"),
        ],
        expect![[r#"
            src/shapes.rs: ←1
            i std::collections
            i→ src/units.rs
            v LIMIT:5
            v Scene:7
            c Circle(Shape):10 ←src/lib.rs:3
              v radius
              v name
              m new(radius,(x,y))->?Self:21
              am load(path)->Result<(),std::io::Error>:22 →helper
              v SIDES
              m area()->f64:26 →scale
            c Kind:14
              v Round
              v Square
              v Unit
            c Shape(Send):15 ←src/lib.rs:4
              v SIDES
              m area()->f64:17 ←src/lib.rs:4
              m twice(factor)->f64:18 →area
            c HashMap(Shape):28
              v SIDES
              m area()->f64:30
            f shape:32
            f helper():33 →nested
            c tests:35
              # 0c/2m
        "#]],
    );
}

#[test]
fn java() {
    check(
        &[
            (
                "src/main/java/org/shop/Library.java",
                r#"package org.shop;

import java.util.List;
import java.util.Optional;
import org.shop.model.Book;

@Service
public class Library<T extends Book> extends Store implements Runnable, Comparable<Library<T>> {
    public static final int LIMIT = 10;
    private final List<T> books;
    enum State { OPEN, CLOSED }
    record Entry(String name, int count) {}
    interface Visitor { void visit(Book book); }
    public Library(List<T> books) { this.books = books; }
    @Override public void run() { find("x"); }
    public Optional<T> find(String title) { return find(title, 0); }
    public Optional<T> find(String title, int... years) { return Optional.empty(); }
    public static <K> Library<?> of(K first) { return new Library<>(List.of()); }
    class Shelf { void add(Book book) { book.open(); } }
}
"#,
            ),
            (
                "src/main/java/org/shop/model/Book.java",
                "package org.shop.model;\npublic class Book { public void open() {} }\n",
            ),
            (
                "src/main/java/org/shop/Store.java",
                "package org.shop;\nclass Store { Library lib; void go() { lib.run(); } }\n",
            ),
        ],
        expect![[r#"
            @1/Library.java: ←1
            i java.util
            i→ @1/model/Book.java
            c Library(Store,Runnable,Comparable<Library<T>>):8 ←@1/Store.java:2
              v LIMIT
              v books
              c State:11
                v OPEN
                v CLOSED
              c Entry:12
                v name
                v count
              c Visitor:13
                m visit(book)->void:13
              m Library(books):14
              m run()->void:15 →find ←@1/Store.java:2
              m find(title)->?T:16 →find
              m find(title,*years)->?T:17
              m of(first)->Library<?>:18
              c Shelf:19
                m add(book)->void:19 →Book.open
        "#]],
    );
}

#[test]
fn c() {
    check(
        &[
            (
                "src/shelf.c",
                r#"#include <stdio.h>
#include "shelf.h"
#define CAPACITY 16
#define EACH(item, shelf) for (item = shelf; item; item = item->next)

struct item { struct item *next; const char *label; union { int pieces; double weight; } amount; };
enum size_class { SMALL, LARGE };
typedef int (*visitor)(struct item *item, void *data);
static int hidden = 0;
int verbose = 1;

static void report(FILE *out, ...) { fprintf(out, "%d", hidden); }
int shelf_add(shelf_t *shelf, const char *label, int (*sort)(int)) { report(stdout); return shelf_count(shelf); }
void callback(int, char *);
"#,
            ),
            (
                "src/shelf.h",
                "typedef struct shelf shelf_t;\nint shelf_add(shelf_t *shelf, const char *label, int (*sort)(int));\nint shelf_count(shelf_t *shelf);\n",
            ),
            ("src/main.c", "#include \"shelf.h\"\nint main(void) { return shelf_add(0, 0, 0); }\n"),
        ],
        expect![[r#"
            src/shelf.c: ←1
            i stdio.h
            i→ src/shelf.h
            v CAPACITY:3
            f EACH(item,shelf):4
            c item:6 ←src/shelf.c:8
              v next
              v label
              v amount
            c size_class:7
              v SMALL
              v LARGE
            v visitor:8
            v verbose:10
            f report(out,*_)->void:12
            f shelf_add(shelf,label,sort)->int:13 →report,shelf_count ←src/main.c:2
            f callback(int,char *)->void:14
        "#]],
    );
}

#[test]
fn cpp() {
    check(
        &[
            (
                "src/canvas.cc",
                r#"#include <vector>
#include "canvas.h"

namespace draw {
namespace {
int hidden(int depth) { return depth; }
}
template <typename T>
class Shape : public Base, private util::Counted<T> {
 public:
  Shape(int x, const std::string& name = "none");
  virtual ~Shape();
  bool operator==(const Shape& other) const;
  virtual double Area(int scale) const = 0;
  template <class U> U As(U fallback) { return fallback; }
  static Shape* Create(T&&... rest);
 private:
  int secret_;
  struct Point { int x, y; };
};
void Canvas::Draw(const Shape<int>& shape) { hidden(1); Clear(); }
void Canvas::Clear() {}
std::optional<int> parse(std::string_view text) { return {}; }
}  // namespace draw
"#,
            ),
            ("src/canvas.h", "namespace draw {\nclass Canvas {\n public:\n  void Draw();\n  void Clear();\n};\n}\n"),
        ],
        expect![[r#"
            src/canvas.cc:
            i vector
            i→ src/canvas.h
            c draw:4
              f hidden(depth)->int:6
              c Shape(Base,util::Counted<T>):9 ←src/canvas.cc:21
                v secret_
                m Shape(x,name?):11
                m ~Shape():12
                m operator==(other)->bool:13
                m Area(scale)->double:14
                m As(fallback)->U:15
                m Create(*rest)->Shape*:16
                c Point:19
                  v x
                  v y
              m Canvas::Draw(shape)->void:21 →hidden,Clear
              m Canvas::Clear()->void:22
              f parse(text)->?int:23
        "#]],
    );
}

#[test]
fn csharp() {
    check(
        &[
            (
                "src/Kitchen.cs",
                r#"using System;
using Shop.Model;

namespace Shop.Service;

[Serializable]
public partial class Kitchen<T> : Room, IDisposable where T : Dish {
    public const int Limit = 3;
    private readonly List<T> _dishes = new();
    public string Name { get; set; }
    public event EventHandler? Opened;
    public Kitchen(string name, int size = 4) { Name = name; }
    public T? Find(string name) => default;
    public async Task<int> CookAsync(T dish, params string[] extras) { Find(dish.Name); return 1; }
    public T this[int index] => _dishes[index];
    public static Kitchen<T> operator +(Kitchen<T> a, T b) => a;
    public void Dispose() { }
    private enum Heat { Low, High = 9 }
    public record Order(string Table, int Seats);
    interface ICook { void Cook(Dish dish); }
}
public static class Extensions { public static int Twice(this int x) => x * 2; }
public delegate void Done(object sender);
"#,
            ),
            ("src/Dish.cs", "namespace Shop.Model;\npublic class Dish { public string Name; }\n"),
            (
                "src/Room.cs",
                "namespace Shop.Service;\npublic class Room { Kitchen<Shop.Model.Dish> k; void Go() { k.Dispose(); } }\n",
            ),
        ],
        expect![[r#"
            src/Kitchen.cs: ←1
            i System
            i→ src/Dish.cs
            c Kitchen(Room,IDisposable):7 ←src/Room.cs:2
              v Limit
              v _dishes
              p Name->string:10
              p Opened->?EventHandler:11
              m Kitchen(name,size?):12
              m Find(name)->?T:13
              am CookAsync(dish,*extras)->Task<int>:14 →Find
              p this->T:15
              m "operator +"(a,b)->Kitchen<T>:16
              m Dispose()->void:17 ←src/Room.cs:2
              c Heat:18
                v Low
                v High
              c Order:19
                p Table->string:19
                p Seats->int:19
              c ICook:20
                m Cook(dish)->void:20
            c Extensions:22
              m Twice(x)->int:22
            v Done:23
        "#]],
    );
}

#[test]
fn go() {
    check(
        &[
            (
                "queue/queue.go",
                r#"// Package queue keeps jobs.
package queue

import (
	"context"
	str "strings"

	"example.org/shop/meta"
)

type State int

const (
	Waiting State = iota
	Running
	retries = 3
)

var first, Second = 1, 2

type Job[T any] struct {
	meta.Meta
	Name, Owner string
	payload     []T
}

type Store interface {
	Load(ctx context.Context, id string) (job *Job[int], err error)
	close()
}

func (j *Job[T]) Take(from, to int, rest ...string) ([]T, error) { j.reset(); return nil, nil }
func (j *Job[T]) reset()                                          { str.ToLower(j.Name) }
func (s State) String() string                                     { return describe(s) }
func Map[T, U any](list []T, each func(T) U) []U                   { return nil }
func describe(value any) string                                    { return meta.Label() }
"#,
            ),
            ("meta/meta.go", "package meta\n\ntype Meta struct{ ID int }\n\nfunc Label() string { return \"\" }\n"),
            (
                "main.go",
                "package main\n\nimport \"example.org/shop/queue\"\n\nfunc main() { queue.Map[int, int](nil, nil) }\n",
            ),
            ("go.mod", "module example.org/shop\n"),
        ],
        expect![[r#"
            queue/queue.go: ←1
            i context,strings
            i→ meta/meta.go
            v State:11
              m String()->string:34 →describe
            v Waiting:14
            v Running:15
            v Second:19
            c Job(meta.Meta):21 ←queue/queue.go:28,+2
              v Meta
              v Name
              v Owner
              v payload
              m Take(from,to,*rest)->([]T,error):32 →reset
              m reset():33
            c Store:27
              m Load(ctx,id)->(job *Job[int],err error):28
              m close():29
            f Map(list,each)->[]U:35 ←main.go:5
            f describe(value)->string:36 →Label
        "#]],
    );
}

#[test]
fn php() {
    check(
        &[
            (
                "src/Order.php",
                r#"<?php
namespace Shop;

use Shop\Model\Item;
use Psr\Log\LoggerInterface as Logger;

const LIMIT = 5;

#[Entity]
final class Order extends Base implements \JsonSerializable
{
    use Helpers;
    public const KIND = 'order';
    private array $items = [];
    public static int $count = 0;

    public function __construct(private readonly string $name, protected ?Logger $log = null, Item ...$items) {}
    public function find(int|string $id, &$out): ?Item { return self::load($id); }
    public static function load($id): static { return new static('x'); }
    abstract protected function secret(): void;
}
interface Visitor { public function visit(Order $order): bool; }
trait Helpers { public function help() { return format(1); } }
enum Suit: string { case Hearts = 'H'; case Spades = 'S'; public function label(): string { return ''; } }
function format(int $value, string ...$rest): string { return ''; }
"#,
            ),
            ("src/Model/Item.php", "<?php\nnamespace Shop\\Model;\nclass Item {}\n"),
            ("composer.json", r#"{"name": "shop/shop", "autoload": {"psr-4": {"Shop\\": "src/"}}}"#),
        ],
        expect![[r#"
            src/Order.php:
            i Psr\Log
            i→ src/Model/Item.php
            v LIMIT:7
            c Order(Base,\JsonSerializable,Helpers):10 ←src/Order.php:22
              v KIND
              v items
              v count
              v name
              v log
              m __construct(name,log?,*items):17
              m find(id,out)->?Item:18 →load
              m load(id)->static:19
              m secret()->void:20
            c Visitor:22
              m visit(order)->bool:22
            c Helpers:23 ←src/Order.php:12
              m help():23 →format
            c Suit:24
              v Hearts
              v Spades
              m label()->string:24
            f format(value,*rest)->string:25
        "#]],
    );
}

#[test]
fn ruby() {
    check(
        &[
            (
                "lib/shop/order.rb",
                r#"# frozen_string_literal: true
require 'json'
require_relative 'money'

module Shop
  VERSION = '1'

  class Order < Base::Record
    include Comparable
    attr_reader :name, :total
    KINDS = %i[a b].freeze

    class << self
      def create(*args, key: 1, **options, &block) = new(*args)
    end

    def initialize(name, total = 0)
      @name = name
      @total = Money.round(total)
    end

    def <=>(other) = total <=> other.total
    def empty? = total.zero?
    def [](index) = lines[index]
    def name=(value)
      @name = value
    end

    private

    def lines = []
  end

  def self.run(path) = Order.create(path)
end
"#,
            ),
            ("lib/shop/money.rb", "module Shop\n  module Money\n    def self.round(x) = x\n  end\nend\n"),
        ],
        expect![[r#"
            @1/order.rb:
            i json
            i→ @1/money.rb
            c Shop:5
              v VERSION:6
              c Order(Base::Record,Comparable):8 ←@1/order.rb:34
                v KINDS
                v @name
                v @total
                p name:10
                p total:10
                m create(*args,key?,**options,block):14 →initialize
                m initialize(name,total?):17 →round
                m <=>(other):22 →total
                m empty?():23 →total
                m [](index):24 →lines
                m name=(value):25
                m lines():31
              m run(path):34 →Order.create
        "#]],
    );
}
