// Prints what every call and every use of a field in an assembly means: path, line, names, type, place of the method. Lines come
// from the runtime's own reader of debug information.
using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.InteropServices;

static class Trace
{
    [DllImport("__Internal")] static extern IntPtr mono_debug_lookup_method(IntPtr method);
    [DllImport("__Internal")] static extern IntPtr mono_debug_method_lookup_location(IntPtr info, int offset);

    const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static
        | BindingFlags.DeclaredOnly;
    static readonly Dictionary<short, OpCode> Codes = new Dictionary<short, OpCode>();
    static string root;

    static void Main(string[] args)
    {
        root = Path.GetFullPath(args[1]) + "/";
        foreach (var field in typeof(OpCodes).GetFields())
        {
            var code = (OpCode)field.GetValue(null);
            Codes[code.Value] = code;
        }
        foreach (var type in Assembly.LoadFrom(args[0]).GetTypes())
        {
            foreach (var method in type.GetMethods(All)) Read(type, method);
            foreach (var method in type.GetConstructors(All)) Read(type, method);
        }
    }

    static string Place(MethodBase method, int offset)
    {
        if (method.ContainsGenericParameters && method.MethodHandle.Value == IntPtr.Zero) return null;
        var info = mono_debug_lookup_method(method.MethodHandle.Value);
        var at = info == IntPtr.Zero ? IntPtr.Zero : mono_debug_method_lookup_location(info, offset);
        if (at == IntPtr.Zero) return null;
        var path = Marshal.PtrToStringAnsi(Marshal.ReadIntPtr(at));
        return path.StartsWith(root) ? path.Substring(root.Length) + ":" + Marshal.ReadInt32(at, IntPtr.Size) : null;
    }

    static string First(MethodBase method)
    {
        var size = method.GetMethodBody()?.GetILAsByteArray().Length ?? 0;
        for (var offset = 0; offset < size; offset++)
            if (Place(method, offset) is string place) return place;
        return null;
    }

    static void Read(Type type, MethodBase method)
    {
        var code = method.GetMethodBody()?.GetILAsByteArray();
        if (code == null) return;
        for (var at = 0; at < code.Length;)
        {
            var start = at;
            var number = code[at] == 0xfe ? (short)(0xfe00 | code[at + 1]) : (short)code[at];
            var op = Codes[number];
            at += op.Size;
            if (op.OperandType == OperandType.InlineMethod || op.OperandType == OperandType.InlineField)
                Say(type, method, start, BitConverter.ToInt32(code, at));
            at += Width(op, code, at);
        }
    }

    static int Width(OpCode op, byte[] code, int at)
    {
        switch (op.OperandType)
        {
            case OperandType.InlineNone: return 0;
            case OperandType.ShortInlineBrTarget:
            case OperandType.ShortInlineI:
            case OperandType.ShortInlineVar: return 1;
            case OperandType.InlineVar: return 2;
            case OperandType.InlineI8:
            case OperandType.InlineR: return 8;
            case OperandType.InlineSwitch: return 4 + 4 * BitConverter.ToInt32(code, at);
            default: return 4;
        }
    }

    static void Say(Type type, MethodBase method, int offset, int token)
    {
        var from = Place(method, offset);
        if (from == null) return;
        var types = type.IsGenericType ? type.GetGenericArguments() : null;
        var own = method.IsGenericMethod ? method.GetGenericArguments() : null;
        MemberInfo member;
        try { member = method.Module.ResolveMember(token, types, own); }
        catch (Exception) { return; }
        if (member.DeclaringType == null || member.DeclaringType.Assembly != type.Assembly) return;
        var owner = member.DeclaringType.Name.Split('`')[0];
        var place = from.Split(':');
        var names = member is ConstructorInfo ? owner : Names(member.Name);
        var target = member is MethodBase called ? First(Definition(called)) : null;
        Console.WriteLine(string.Join("\t", place[0], place[1], names, owner, target ?? "-"));
    }

    static MethodBase Definition(MethodBase called)
    {
        foreach (var own in called is ConstructorInfo ? (MethodBase[])called.DeclaringType.GetConstructors(All) : called.DeclaringType.GetMethods(All))
            if (own.MetadataToken == called.MetadataToken) return called.Module.ResolveMethod(own.MetadataToken);
        return called;
    }

    /// What a member is called in the text: properties and events are methods, attributes lack their ending.
    static string Names(string name)
    {
        name = name.Substring(name.LastIndexOf('.') + 1);
        foreach (var prefix in new[] { "get_", "set_", "add_", "remove_" })
            if (name.StartsWith(prefix)) return name.Substring(prefix.Length);
        if (name.StartsWith("<") && name.Contains(">k__BackingField")) return name.Substring(1, name.IndexOf('>') - 1);
        return name.StartsWith("<") && name.Contains(">g__") ? name.Substring(name.IndexOf(">g__") + 4).Split('|')[0] : name;
    }
}
