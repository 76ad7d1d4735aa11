// daybook-bench-launch PROGRAM [ARGUMENT...]: runs a program without its output and prints how long it took
// and the most memory it had. A program of its own, and a small one: Linux lets a child's peak begin with
// that of the process it was forked from.

#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

[[noreturn]] void become(char **program)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0)
        dup2(nowhere, STDOUT_FILENO);
    execv(program[0], program);
    std::perror(program[0]);
    _exit(127);
}

} // namespace

int main(int count, char **arguments)
{
    if (count < 2)
        return 2;
    const auto start = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0)
        become(arguments + 1);
    int status = 0;
    rusage usage{};
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 1;
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    std::printf("%.3f %ld\n", took.count(), usage.ru_maxrss * 1024L);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
