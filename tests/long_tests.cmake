# Tests that take more than seven seconds, because they wait or compile. ctest starts those of the greatest COST
# first: at the end, one of them would keep the other cores idle.
set(gtune_long_tests
  CheckCommand.TheSpecsOfTheGpuTestsHaveNoMistakes
  CheckCommand.TheSpecsOfTheClassicsHaveNoMistakes
  WorkerFault.CostsNoMoreThanItsConfiguration/worker_hang_open_problem_1
  Kernels/BundledChoices.OfTheHeaderAndTheQueryAreTheSame/0
  HeaderCompilers.AgreeWithTheQueryOnTenThousandSizes
  BadInput.TooLittleMemoryEndsInALine
  Profile.ALostWorkerCostsTheMetricsAlone
  CommandLine.NoValueOfAnOptionIsTakenForTheKernel
  FirstSpecTest.AKernelThatSynchronisesItsGridIsCooperative
  WorkerFault.CostsNoMoreThanItsConfiguration/worker_hang_hello_1
  Faults/FaultyWorker.IsLostQuicklyAndANewOneGoesOn/hang_measure
  WorkerClientTest.AWorkerThatDoesNotReadItsRequestIsLost
  Export.HasAFallbackForEverySize
  OwnAllocation.IsNotWaitedForLongerThanElevenSeconds
  Processes.AWriterWaitsWhileALargeImportHasTheFile
  WorkerFault.CostsNoMoreThanItsConfiguration/worker_hang_measure_40
  HeaderCompilers.NvrtcAgreesWithTheQueryWhileItCompiles
  Kernels/BundledChoices.OfTheHeaderAndTheQueryAreTheSame/2
  Links.KillsAtRandomLoseNothing
  CommandLine.RandomLinesAreUnderstoodOrRefused
  Links.SeveralThatIgnoreSignalsEndSideBySide
  Kernels/BundledChoices.OfTheHeaderAndTheQueryAreTheSame/1
  LinkedWorkerTest.ALauncherThatIgnoresSigtermIsKilledWithinEightSeconds
  Kernels/BundledCHeader.ChoosesAsTheQueryDoes/2
  LinkedWorkerTest.IsKeptAliveWhileItsAnswerIsAwaited
  LinkedWorkerTest.IsKeptAliveWhileIdleAndEndsWhereItIsNot
)
set_tests_properties(${gtune_long_tests} PROPERTIES COST 100)
