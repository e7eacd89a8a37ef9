export class View {
    constructor(private title: string) {}
    draw(): string { return render(this.title); }
}
export function render(text: string): string { return text; }
