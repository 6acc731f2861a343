export declare const withFigures: (performance: string, benchmark: string) => string
