#!/bin/bash
# The program that is launched: says which rank runs on which host, in a file of its own of the folder that it is given.
# The name is read without a process: a thousand ranks that start one each can meet a limit of processes.
read -r host < /proc/sys/kernel/hostname
echo "RANK $OMPI_COMM_WORLD_RANK HOST $host GPU ${CUDA_VISIBLE_DEVICES:-none}" > "$1/$OMPI_COMM_WORLD_RANK"
# A rank that ends while its daemon still starts others can be missed: mpirun would wait for it for ever.
sleep 2
