# gtune for fish. Load it with:  gtune completion fish | source
function __gtune_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (printf '%s\n' $words[2..-1] | $words[1] complete 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            printf '%s\n' $line
        end
    end
end
complete -c gtune -f -a '(__gtune_complete)'
